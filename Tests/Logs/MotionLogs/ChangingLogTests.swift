import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Logs that change while they are read") struct ChangingLogTests {
  private let folder = TemporaryFolder()
  private static let header =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"

  private static func rows(_ range: Range<Int>) -> String {
    range.map { "\(Double($0) / 100),0,0,-1,0.01,0.02,0.03\n" }.joined()
  }

  /// Returns the error of reading a log that is changed after it is opened.
  private func error(of path: String, _ change: () throws -> Void) -> LogError? {
    logError { () throws(LogError) in
      try LogFeed(path: path).run(
        start: { (_) throws(LogError) in try! change() }, consume: { (_) throws(LogError) in })
    }
  }

  private func append(_ text: String, to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  @Test("a log that grows, shrinks, is replaced or is deleted is refused; an unchanged log is read")
  func changes() throws {
    let path = folder.write(Self.header + Self.rows(0..<300), to: "log.csv")
    #expect(error(of: path) {} == nil)
    let grown = error(of: path) { try append(Self.rows(300..<400), to: path) }
    #expect(grown?.problem.hasPrefix("had ") == true && grown?.problem.hasSuffix("while it was read") == true)
    #expect(grown?.path == path)
    let shrunk = error(of: path) { #expect(truncate(path, 4000) == 0) }
    #expect(shrunk?.problem.contains("and then 4000 while it was read") == true, "\(shrunk?.description ?? "")")
    folder.write(Self.header + Self.rows(0..<300), to: "log.csv")
    let replaced = error(of: path) {
      folder.write(Self.header + Self.rows(100..<400), to: "new.csv")
      #expect(rename(folder.path("new.csv"), path) == 0)
    }
    #expect(replaced?.problem.hasSuffix("while it was read") == true)
    let gone = error(of: path) { try FileManager.default.removeItem(atPath: path) }
    #expect(gone?.problem == "is gone while it was read")
  }

  @Test("a growing file in a folder is reported by name")
  func folders() throws {
    for (name, unit) in [("acc", "g"), ("gyro", "rad/s")] {
      let rows = (0..<300).map { "\(Double($0) / 100),0.01,0.02,1\n" }.joined()
      folder.write("time (s),x (\(unit)),y (\(unit)),z (\(unit))\n" + rows, to: name + ".csv")
    }
    #expect(error(of: folder.path) {} == nil)
    let grown = error(of: folder.path) { try append("3,0,0,1\n", to: folder.path("gyro.csv")) }
    #expect(grown?.path == folder.path("gyro.csv"))
  }
}
