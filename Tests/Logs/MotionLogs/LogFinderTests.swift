import Foundation
import TestSupport
import Testing

@testable import InertialLogs

/// A folder with logs, unreadable logs, and other files.
@Suite struct LogFinderTests {
  private static let names =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"
  private static let rows = (0..<20).map { "\(Double($0) / 100),0,0,-1,0.001,0,0\n" }.joined()

  /// A file, and whether it is a log, an unreadable log (`nil`), or neither.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var name = "file.csv"
    var bytes: [UInt8]
    var isLog = false
    var isMeant = false

    init(_ title: String, _ text: String, name: String = "file.csv", isLog: Bool = false, isMeant: Bool = false) {
      testDescription = title
      (self.name, bytes, self.isLog, self.isMeant) = (name, Array(text.utf8), isLog, isMeant)
    }
  }

  static let cases: [Case] = {
    var utf16 = Case("a log in UTF-16", "", isLog: true)
    utf16.bytes = [0xFF, 0xFE] + (names + rows).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return [
      Case("a log", names + rows, isLog: true),
      Case(
        "a header with a typing error", names.replacing("accelerationX", with: "acelerationX") + rows, isMeant: true),
      Case("a header of unknown names", "a1,b1,c1,d1,e1,f1,g1\n" + rows, isMeant: true),
      Case("rows without a header", rows, isMeant: true),
      Case("rows without a header in a text file", rows, name: "file.txt", isMeant: true),
      Case("an empty table", "", isMeant: true), Case("an empty text", "", name: "notes.txt"),
      Case("a log without its units", "time,acc_x,acc_y,acc_z\n0,0,0,1\n1,0,0,1\n", isMeant: true), utf16,
      Case("labels", "start,end,label\n0,1.5,walking\n1.5,3,running\n"),
      Case("numbered labels", "start,end,label\n0,1.5,1\n1.5,3,2\n"),
      Case("persons", "person,age,height,weight\nanna,31,170,60\n"),
      Case("places", "time,latitude,longitude,altitude,speed\n0,47.5,8.5,400,1\n1,47.5,8.5,400,1\n"),
      Case("prose", "acc_x and acc_y, gyro_x and gyro_y: see above\n\n1 log, 2 sensors\n", name: "README.txt"),
      Case("a reference", "time,quaternionX,quaternionY,quaternionZ,quaternionW\n0,0,0,0,1\n1,0,0,0,1\n"),
      Case("a dataset of `fuse`", names + rows, name: "walk.csv.fused.csv"),
      Case("events", "time,channel,annotation\n0,annotation,START\n", name: "walk.events.csv"),
    ]
  }()

  @Test("a folder's logs are found, and unreadable logs are reported by name", arguments: cases)
  func kinds(item: Case) throws {
    let folder = TemporaryFolder()
    let path = folder.write(item.bytes, to: item.name)
    let found = try LogFeed.find(at: folder.path)
    #expect(found.logs == (item.isLog ? [path] : []) && found.unreadable == (item.isMeant ? [path] : []))
  }

  private func twoFolders() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      folder.write(Self.names + Self.rows, to: "\(name)/log.csv")
    }
    return folder
  }

  @Test("subfolders are searched")
  func folders() throws {
    let folder = try twoFolders()
    #expect(try LogFeed.find(at: folder.path).logs == [folder.path("a/log.csv"), folder.path("b/log.csv")])
  }

  @Test("a subfolder without read permission is reported by name", .needs(.nonroot))
  func nonrootFolder() throws {
    let folder = try twoFolders()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path("b"))
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path("b")) }
    let found = try LogFeed.find(at: folder.path)
    #expect(found.logs == [folder.path("a/log.csv")] && found.unreadable == [folder.path("b")])
  }
}
