import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Files and folders that are malicious or damaged: each is refused or read, quickly and with little memory.
@Suite("Hostile inputs", .timeLimit(.minutes(2))) struct HostileInputTests {
  private let folder = TemporaryFolder()

  /// Returns the number of samples and the error of a log that is recognized by content and read to its end.
  private func outcome(_ path: String) -> (count: Int, error: LogError?) {
    do throws(LogError) {
      var reader = try openLog(path: path)
      var count = 0
      var batch: [SensorSample] = []
      while try reader.read(into: &batch) {
        count += batch.count
        batch.removeAll(keepingCapacity: true)
      }
      return (count, nil)
    } catch { return (0, error) }
  }

  private func makePipe(_ name: String) { #expect(mkfifo(folder.path(name), 0o600) == 0) }

  private static let accelerometer = "time,seconds_elapsed,z,y,x\n1700000000000000000,0,-1,0.25,0.5\n"
  private static let canonical = "time,accelerationX,accelerationY,accelerationZ\n"

  // MARK: Promises

  #if HDF5
    @Test("a header that declares 2^60 rows is refused", arguments: [HDF5TestFile.Storage.contiguous, .chunkedDeflate])
    func promisedRows(storage: HDF5TestFile.Storage) {
      var file = HDF5TestFile.broad(rows: 1237)
      file.storage = storage
      let url = folder.url.appendingPathComponent("trial.hdf5")
      file.write(to: url)
      // The first of the two numbers of a dataset's shape.
      func little(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }
      var bytes = [UInt8](FileManager.default.contents(atPath: url.path)!)
      var count = 0
      for columns in [3, 4, 1] as [UInt64] {
        let shape = little(1237) + little(columns)
        for start in 0..<(bytes.count - 16) where bytes[start] == shape[0] && Array(bytes[start..<start + 16]) == shape
        {
          bytes.replaceSubrange(start..<(start + 8), with: little(1 << 60))
          count += 1
        }
      }
      #expect(count >= 4)
      folder.write(bytes, to: "trial.hdf5")
      let (samples, error) = outcome(url.path)
      #expect(samples == 0 && error != nil)
    }
  #endif

  @Test("sound that is shorter than declared ends with the file", arguments: [0xFFFF_FFFE, 0x7FFF_FFFF, 1 << 16])
  func promisedSound(length: Int) throws {
    let frames = (0..<40).map { [Double($0 % 8) / 8] }
    let path = folder.write(WAVBytes.bytes(frames, rate: 80, dataLength: length), to: "sound.wav")
    #expect(try soundLevels(path).count == 4)
    // A chunk before the sound that is longer than the file.
    let long = Array("LIST".utf8) + WAVBytes.little(0xFFFF_FFF0 as Int64, 4)
    let other = folder.write(WAVBytes.bytes(frames, rate: 80, before: long), to: "long.wav")
    #expect(logError { () throws(LogError) in try SoundLevelReader(path: other) } != nil)
  }

  // MARK: Archives

  @Test("an archive that declares 2^60 bytes for an entry is refused")
  func promisedEntry() {
    var entry = RawZip.Entry(name: "log.csv", bytes: Array(Self.canonical.utf8))
    entry.promised = 1 << 60
    let error = outcome(folder.write(RawZip.archive([entry]), to: "log.zip")).error
    let problem = error?.problem ?? ""
    #expect(
      problem.hasPrefix("declares ") || problem.hasPrefix("is a damaged zip archive"), "\(String(describing: error))")
  }

  @Test("an archive in an archive is not opened, regardless of its name")
  func nestedArchive() {
    ZipTestFile.write(["log.csv": Self.canonical + "0,0,0,-1\n"], to: folder.path("inner.zip"))
    let inner = [UInt8](FileManager.default.contents(atPath: folder.path("inner.zip"))!)
    for name in ["inner.zip", "inner.csv"] {
      ZipTestFile.write([name: inner], to: folder.path("outer.zip"))
      #expect(outcome(folder.path("outer.zip")).error != nil, "\(name)")
    }
  }

  @Test("an archive with more entries than any log has is refused")
  func manyEntries() {
    let entries = (0..<5000).map { RawZip.Entry(name: "\($0).csv", bytes: []) }
    let error = outcome(folder.write(RawZip.archive(entries), to: "log.zip")).error
    #expect(error?.problem == "has 5000 entries, more than 4096, and is not unpacked")
  }

  @Test("entries that share their bytes are refused before they fill the disk")
  func overlappingEntries() {
    // Each entry's bytes are the headers of the following entries and the last entry's bytes.
    let kernel = [UInt8](repeating: 0x30, count: 1 << 18)
    let entries = (0..<300).map { RawZip.Entry(name: "\($0 + 1000).csv", bytes: $0 == 299 ? kernel : []) }
    let error = outcome(folder.write(RawZip.overlapping(entries), to: "log.zip")).error
    let problem = error?.problem ?? ""
    #expect(
      problem.hasPrefix("declares ") || problem.hasPrefix("is a damaged zip archive"), "\(String(describing: error))")
    // An archive that lists the same entry twice.
    var twice = RawZip.Entry(name: "a.csv", bytes: kernel)
    twice.isRepeated = true
    #expect(outcome(folder.write(RawZip.archive([twice]), to: "twice.zip")).error != nil)
  }

  @Test("a symbolic link in an archive is not created")
  func linkInArchive() throws {
    var link = RawZip.Entry(name: "Gyroscope.csv", bytes: Array("/etc/passwd".utf8))
    link.mode = 0o120777
    let log = RawZip.Entry(name: "AccelerometerUncalibrated.csv", bytes: Array(Self.accelerometer.utf8))
    let metadata = RawZip.Entry(name: "Metadata.csv", bytes: Array("platform,standardisation\nios,false\n".utf8))
    let path = folder.write(RawZip.archive([log, link, metadata]), to: "log.zip")
    let samples = try readAll(openLog(path: path))
    #expect(samples.map(\.channel) == [.accelerometer])
    #expect(outcome(folder.write(RawZip.archive([link]), to: "link.zip")).error != nil)
  }

  // MARK: Pipes, devices, links

  @Test("a pipe without a writer is not part of a log, and does not block")
  func pipesInFolders() throws {
    folder.write(Self.accelerometer, to: "AccelerometerUncalibrated.csv")
    folder.write("platform,standardisation\nios,false\n", to: "Metadata.csv")
    makePipe("Gyroscope.csv")
    #expect(outcome(folder.path).error?.problem == "is not a regular file")
    #expect(unlink(folder.path("Gyroscope.csv")) == 0)
    makePipe("notes.txt")
    #expect(outcome(folder.path).count == 1)
    #expect(try LogFeed.logs(at: folder.path) == [folder.path])

    // Companions of the log: the description of a BIDS table, in both of its files.
    folder.write("0.5\t0\t0\t9.8\n", to: "sub_motion.tsv")
    makePipe("sub_channels.tsv")
    #expect(outcome(folder.path("sub_motion.tsv")).error != nil)
    #expect(unlink(folder.path("sub_channels.tsv")) == 0)
    let axes = ["x", "y", "z"].map { "a\t\($0)\tACCEL\tm/s^2\n" }.joined()
    folder.write("name\tcomponent\ttype\tunits\nt\tn/a\tMISC\ts\n" + axes, to: "sub_channels.tsv")
    makePipe("sub_motion.json")
    #expect(outcome(folder.path("sub_motion.tsv")).error?.remedy.contains("--sample-rate") == true)
  }

  @Test("devices end in an error", .needs(.linux))
  func devices() throws {
    #expect(outcome("/dev/null").error?.problem == "the file is empty")
    #expect(outcome("/dev/zero").error?.problem.contains("longer than") == true)
    #expect(symlink("/dev/zero", folder.path("log.csv")) == 0)
    #expect(outcome(folder.path("log.csv")).error?.problem.contains("longer than") == true)
    #expect(logError { () throws(LogError) in try LogFeed.logs(at: folder.path) } != nil)
    #expect(logError { () throws(LogError) in try SoundLevelReader(path: "/dev/zero") } != nil)
  }

  @Test("cyclic links and nested folders are searched once")
  func circles() throws {
    #expect(symlink(folder.path, folder.path("again")) == 0)
    #expect(symlink(folder.path("b"), folder.path("a")) == 0)
    #expect(symlink(folder.path("a"), folder.path("b")) == 0)
    let log = folder.write(Self.canonical + "0,0,0,-1\n", to: "log.csv")
    #expect(try LogFeed.logs(at: folder.path) == [log])
    #expect(outcome(folder.path("a")).error != nil)
  }

  @Test("names that are not UTF-8 or contain line ends are skipped, and an empty folder is an error")
  func names() throws {
    #expect(outcome(folder.path).error?.problem == "is a folder of no known format")
    #expect(logError { () throws(LogError) in try LogFeed.logs(at: folder.path) } != nil)
    for name in [[0xFF, 0xFE, 0x2E, 0x63, 0x73, 0x76], [0xC3, 0x28]] as [[UInt8]] {
      let path = folder.path.utf8CString.dropLast().map { UInt8(bitPattern: $0) } + [0x2F] + name + [0]
      let file = path.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { fopen($0.baseAddress!, "w") }
      }
      // Some file systems refuse such names themselves.
      if let file { fclose(file) }
    }
    folder.write("x", to: "two\nlines.csv")
    let error = try #require(outcome(folder.path).error)
    #expect(!error.description.contains { $0.isNewline })
    folder.write(Self.accelerometer, to: "AccelerometerUncalibrated.csv")
    folder.write("platform,standardisation\nios,false\n", to: "Metadata.csv")
    #expect(outcome(folder.path).count == 1)
    #expect(!outcome(folder.path("two\nlines.csv")).error!.description.contains { $0.isNewline })
  }

  // MARK: Contents

  @Test("zero bytes, a line without an end and a header of half a million names are refused quickly")
  func monsters() {
    #expect(outcome(folder.write([UInt8](repeating: 0, count: 1 << 20), to: "zeros")).error != nil)
    let line = folder.write([UInt8](repeating: 0x31, count: 100_000_000), to: "line.csv")
    #expect(outcome(line).error?.problem == "the line is longer than 1048576 bytes")
    for name in ["a,", "accelerationX,", "x;", ",", "\t", "\"", "Gyroscope X (deg/s)\t"] {
      let header = String(repeating: name, count: 1_000_000 / name.utf8.count)
      #expect(outcome(folder.write(header + "\n1\n", to: "names.csv")).error != nil, "\(name)")
    }
    let rows = String(repeating: "\n", count: 10_000_000)
    #expect(outcome(folder.write(Self.canonical + rows, to: "blank.csv")).error != nil)
  }

  @Test("a million levels of JSON are refused", arguments: ["[", "{\"a\":"])
  func deepJSON(level: String) {
    let levels = String(repeating: level, count: 1_000_000)
    for start in [
      "", "{\"motionRecords\":[{\"recordTimestamp\":1},", "[{\"sensor\":\"Gyroscope\",\"seconds_elapsed\":",
    ] { #expect(outcome(folder.write(start + levels, to: "deep.json")).error != nil) }
  }

  @Test("a file that grows or shrinks while it is read is read to its current end")
  func changing() throws {
    let path = folder.write(Self.canonical + "0,0,0,-1\n", to: "log.csv")
    var reader = try openLog(path: path)
    var samples: [SensorSample] = []
    let file = fopen(path, "a")!
    for row in 1...50_000 { fputs("\(row),0,0,-1\n", file) }
    fclose(file)
    while try reader.read(into: &samples) { #expect((0...1).contains(reader.progress)) }
    #expect(samples.map(\.time) == (0...50_000).map(Double.init))

    var other = try openLog(path: path)
    var count = 0
    samples = []
    #expect(try other.read(into: &samples))
    #expect(truncate(path, 0) == 0)
    // The bytes read ahead may end within a line, which is then the last.
    while try other.read(into: &samples) { count += 1 }
    #expect(samples.count < 50_000 && other.progress == 1)
  }
}
