import Foundation
import TestSupport
import Testing

/// The logs that the fuzz tests damage, for longer tests: `make stress WHAT=soak` passes them to every command.
@Suite struct SoakSubjectsTests {
  private static let folder = ProcessInfo.processInfo.environment["INERTIAL_SUBJECTS"]

  @Test(
    "each log has a unique name, and is a file or a folder",
    .needs(Need("subjects", "INERTIAL_SUBJECTS names no folder to write to") { folder != nil }))
  func write() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder))
    try? FileManager.default.removeItem(at: folder)
    var names: Set<String> = []
    for subject in FuzzTests.Subject.all {
      let name = String(subject.testDescription.map { $0.isLetter || $0.isNumber ? $0 : "-" })
      #expect(names.insert(name).inserted, "two are called \(name)")
      let isFile = subject.files.count == 1
      for (file, bytes) in subject.files {
        let ending = (file as NSString).pathExtension
        let path =
          isFile ? folder.appendingPathComponent(name + "." + ending) : folder.appendingPathComponent("\(name)/\(file)")
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: path)
      }
    }
  }
}
