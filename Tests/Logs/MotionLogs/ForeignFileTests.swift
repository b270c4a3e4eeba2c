import TestSupport
import Testing

@testable import InertialLogs

@Suite("Files of other programs") struct ForeignFileTests {
  private let folder = TemporaryFolder()

  private static func entry(_ name: String) -> [UInt8] {
    [0x50, 0x4B, 3, 4] + Array(repeating: 0, count: 22) + [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8)
  }

  static let files: [([UInt8], String, String)] = [
    ([0x4D, 0x44, 0xFC, 0x03], "Axivity", "omconvert"),
    (Array("Device Identity\nDevice".utf8), "GENEActiv", "GENEAread"),
    (Array("\u{0E} T\u{8}\u{1}\0\0\0.FIT".utf8), "FIT", "FitCSVTool"),
    (Array("\0\0\0\u{14}ftypmp41....moovGoPro MET".utf8), "GoPro", "gpmf-parser"),
    (Array("\0\0\0\u{14}ftypisom".utf8), "video", "telemetry-parser"),
    ([0xA3, 0x95, 0x80, 0x80, 0x59], "ArduPilot", "mavlogdump.py"),
    (Array("H Product:Blackbox flight data recorder".utf8), "Betaflight", "blackbox_decode"),
    (Array("<?xml version=\"1.0\"?>\n<mvnx version=\"4\">".utf8), "Xsens", "MVN Analyze"),
    ([0xFA, 0xFF, 0x36], "Xsens", "MT Manager"), (Array("#ROSBAG V1.2\n".utf8), "ROS 1", "rosbag fix"),
    (Array("SQLite format 3\0walks".utf8), "SQLite", "sqlite3 -header -csv"), ([0x1F, 0x8B, 8, 0], "gzip", "gunzip"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz", "unxz"), ([0x28, 0xB5, 0x2F, 0xFD, 0], "zstd", "unzstd"),
    (Array("$GPRMC,141730,A,4807.038,N*70\r\n".utf8), "NMEA 0183", "VectorNav"),
    (entry("info.txt"), "ActiGraph", "pygt3x"), (entry("[Content_Types].xml"), "spreadsheet", "CSV"),
  ]

  @Test(
    "an unsupported file is identified by its content, with the exporter that reads it",
    arguments: ForeignFileTests.files)
  func named(bytes: [UInt8], kind: String, exporter: String) throws {
    // The name belongs to another format.
    let path = folder.write(bytes, to: "walk.csv")
    let found = try #require(ForeignFile(head: bytes)).error(path: path)
    #expect(found.problem.contains(kind) && found.problem.hasSuffix(", which is not read"))
    #expect(found.remedy.contains(exporter))
    guard !ZipArchive.begins(bytes) else { return }
    #expect(openError(path) == found)
  }

  @Test("an archive of ActiGraph and a spreadsheet are identified, and an archive of a log is read")
  func archives() throws {
    for (files, kind) in [
      ["info.txt": "Serial Number: 1", "log.bin": "\u{1E}"]: "ActiGraph",
      ["[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"]: "spreadsheet",
    ] {
      let path = folder.path(kind + ".zip")
      ZipTestFile.write(files, to: path)
      let error = openError(path)
      #expect(error?.problem.contains(kind) == true, "\(String(describing: error))")
    }
    let path = folder.path("log.zip")
    ZipTestFile.write(ZipLogTests.sensorLogger, to: path)
    #expect(try openLog(path: path).description.format == "sensor-logger")
  }

  @Test("recordings of other makers in a folder are reported as unreadable, and its videos are skipped")
  func folders() throws {
    folder.write([0x4D, 0x44, 0xFC, 0x03], to: "a.cwa")
    folder.write("\0\0\0\u{14}ftypisom", to: "b.mp4")
    let found = try LogFeed.find(at: folder.path)
    #expect(found.logs.isEmpty && found.unreadable == [folder.path("a.cwa")])
  }
}
