import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite(.serialized) struct ZipLogTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("log.zip") }

  static let sensorLogger = [
    "AccelerometerUncalibrated.csv": "time,seconds_elapsed,z,y,x\n1700000000000000000,0,-1,0.25,0.5\n"
      + "1700000000010000000,0.01,-1,0.25,0.5\n",
    "Metadata.csv": "version,device name,platform,standardisation\n3,phone,ios,false\n",
    "Barometer.csv": "time,seconds_elapsed,relativeAltitude,pressure\n1700000000000000000,0,0,1013.25\n",
  ]

  private func write(_ files: [String: String]) { ZipTestFile.write(files, to: path) }

  private func error() -> LogError? { logError(of: try readAll(openLog(path: path))) }

  /// Returns Inertial's items in the folder for temporary files.
  private func leftovers() -> Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
    return Set((names ?? []).filter { $0.hasPrefix("inertial-") && $0.count == "inertial-".count + 6 })
  }

  @Test("an archive is read like its folder, at the top or one level down", arguments: ["", "2024/"])
  func folderLog(prefix: String) throws {
    var files = Dictionary(uniqueKeysWithValues: Self.sensorLogger.map { (prefix + $0.key, $0.value) })
    files["__MACOSX/._Metadata.csv"] = "x"
    files[prefix + "notes.pdf"] = "not unpacked"
    write(files)
    let before = leftovers()
    var reader = try openLog(path: path, options: with(LogOptions()) { $0.auxiliary = [.barometer] })
    #expect(reader.description.format == "sensor-logger")
    #expect(reader.description.summary == "Sensor Logger folder (iOS, not standardised), in a zip archive")
    #expect(reader.description.path == path && reader.description.epoch == 1.7e9)
    // The files are open, but already deleted.
    #expect(leftovers() == before)
    var (samples, other): ([SensorSample], [AuxiliarySample]) = ([], [])
    while try reader.read(into: &samples) { reader.takeAuxiliary(into: &other) }
    reader.takeAuxiliary(into: &other)
    #expect(samples.map(\.vector) == [Vector3(0.5, 0.25, -1), Vector3(0.5, 0.25, -1)])
    #expect(samples.map(\.time) == [0, 0.01])
    #expect(other.map { $0["pressure"] } == [101.325])
  }

  @Test("a phyphox archive has its metadata, and an archive of one file is that file")
  func otherLogs() throws {
    let table = PhyphoxExport().table(["Time (s)"] + PhyphoxExport.acceleration, [[0, 0, 0, 9.81]])
    write(["Raw Data.csv": table, "meta/device.csv": PhyphoxExport.device, "meta/time.csv": PhyphoxExport.marks])
    let reader = try openLog(path: path)
    #expect(reader.description.summary == "phyphox folder (iOS), in a zip archive")
    #expect(reader.description.epoch == 1_686_306_555.64925)
    #expect(try readAll(reader).map(\.z) == [-1])
    write(["export/log.csv": "time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n"])
    #expect(try openLog(path: path).description.format == "canonical-csv")
  }

  @Test("a name that leads out of the archive is refused, and no file is written")
  func climbing() {
    for name in [
      "../evil.csv", "/tmp/evil.csv", "a/../../evil.csv", "C:/evil.csv", "a\\..\\evil.csv", "./a.csv", "a//b.csv",
    ] {
      write(Self.sensorLogger.merging([name: "x"]) { a, _ in a })
      #expect(error()?.problem.hasPrefix("has an entry whose path leaves the archive") == true, "\(name)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("../evil.csv")))
  }

  @Test("too many entries, too many bytes and a size above the limit are refused before unpacking")
  func limits() throws {
    write(Self.sensorLogger)
    func refusal(_ limits: ZipArchive.Limits) -> String? {
      logError(of: try ZipArchive(path: path, limits: limits).entries)?.problem
    }
    #expect(refusal(ZipArchive.Limits()) == nil && refusal(ZipArchive.Limits(entries: 3)) == nil)
    #expect(refusal(ZipArchive.Limits(entries: 2)) == "has 3 entries, more than 2, and is not unpacked")
    let size = Self.sensorLogger.values.reduce(0) { $0 + $1.utf8.count }
    #expect(refusal(ZipArchive.Limits(bytes: UInt64(size))) == nil)
    #expect(
      refusal(ZipArchive.Limits(bytes: UInt64(size) - 1))
        == "declares \(size) bytes unpacked, more than \(size - 1), and is not unpacked")
    // Ten million zeros are compressed to ten thousand bytes: a ratio of 1000.
    ZipTestFile.write(["a.csv": [UInt8](repeating: 0x30, count: 10_000_000)], to: path)
    #expect(error()?.problem.hasPrefix("declares 10000000 bytes unpacked from ") == true)
    #expect(error()?.problem.hasSuffix("a ratio above 250, and is not unpacked") == true)
    #expect(refusal(ZipArchive.Limits(ratio: 10_000)) == nil)
  }

  @Test("an entry that unpacks to more or less than declared is refused, and leaves no file")
  func falsePromise() {
    let before = leftovers()
    for promised in [100, 200_000] as [UInt32] {
      ZipTestFile.write(["a.csv": [UInt8](repeating: 0x30, count: 100_000)], to: path)
      // The unpacked size, in the local header and in the directory.
      ZipTestFile.patch(path, local: 22, central: 24, (0..<4).map { UInt8(truncatingIfNeeded: promised >> ($0 * 8)) })
      let problem = error()?.problem ?? ""
      #expect(problem.hasPrefix("unpacks to more bytes than") || problem.hasPrefix("is a damaged zip archive"))
    }
    #expect(leftovers() == before)
  }

  @Test("an encrypted archive is refused as encrypted")
  func encrypted() {
    write(Self.sensorLogger)
    ZipTestFile.patch(path, local: 6, central: 8, [1])
    #expect(error()?.problem.hasPrefix("is encrypted") == true)
    #expect(error()?.remedy == "unpack it with its password and give the folder")
  }

  @Test("bytes with a wrong checksum are damage, in stored and in deflated entries")
  func checksums() {
    // Short entries are stored; long, repetitive entries are deflated.
    for text in ["x,y", String(repeating: "time,x\n", count: 1000)] {
      write(["a.csv": text])
      #expect(error()?.problem.hasPrefix("is a damaged zip archive") == false)
      ZipTestFile.patch(path, local: 14, central: 16, [1, 2, 3, 4])
      #expect(error()?.problem == "is a damaged zip archive (\"a.csv\")")
    }
  }

  @Test("an entry compressed by a method other than deflation is refused by the method's name")
  func otherMethod() {
    write(["a.csv": "x"])
    ZipTestFile.patch(path, local: 8, central: 10, [12])
    #expect(error()?.problem == "is compressed by method 12, which is not read: \"a.csv\"")
    #expect(error()?.remedy == "unpack it and give the folder")
  }

  @Test("an archive with a comment at its end is read, and one with another entry's header is refused")
  func directory() throws {
    write(["log.csv": "time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n"])
    let whole = [UInt8](FileManager.default.contents(atPath: path)!)
    var commented = whole
    // The length of the comment is the last field.
    commented[commented.count - 2] = 5
    folder.write(commented + Array("hello".utf8), to: "log.zip")
    #expect(try readAll(openLog(path: path)).count == 1)
    var other = whole
    // The name follows 30 bytes of the header.
    other[30] = UInt8(ascii: "L")
    folder.write(other, to: "log.zip")
    #expect(error()?.problem == "is a damaged zip archive (\"log.csv\")")
    folder.write(Array(whole.dropLast(30)), to: "log.zip")
    #expect(error()?.problem == "is a damaged zip archive")
  }

  @Test("archives of unknown files, of several logs and with damage are errors with the archive's name")
  func errors() {
    write(["a.csv": "x,y\n1,2\n", "b.txt": "x"])
    #expect(error()?.problem == "holds no log of a known format (a.csv, b.txt)")
    var two: [String: String] = [:]
    for (name, text) in Self.sensorLogger { two["one/" + name] = text; two["two/" + name] = text }
    write(two)
    #expect(error()?.problem == "holds 2 logs: one, two")
    write(
      Self.sensorLogger.merging(["AccelerometerUncalibrated.csv": "time,seconds_elapsed,z,y,x\n1,0,a,0,0\n"]) { $1 })
    #expect(
      error()?.description
        == "\(path)/AccelerometerUncalibrated.csv:2:3: \"a\" is not a number; repair or remove the line")
    folder.write("PK\u{3}\u{4}and so on", to: "log.zip")
    #expect(error()?.problem.hasPrefix("is a damaged zip archive") == true)
    // A spreadsheet is a zip archive, too, but not a log.
    write(["xl/workbook.xml": "<x/>"])
    #expect(logError(of: try LogFeed.logs(at: folder.path))?.problem.contains("neither a log") == true)
  }
}
