import Foundation
import Inertial
import InertialLive
import SimulatedLogs

/// A reader and its damaged input files.
struct ReaderTarget {
  /// The separator of a folder's files in the bytes of one input: ASCII's file separator, which logs do not contain.
  private static let separator: UInt8 = 0x1C
  private static let seedRows = 24

  private let log: FormatLog?
  private let isRecognised: Bool
  /// Whether the log is read line by line from standard input, as by `fuse - --follow`.
  private let isStream: Bool
  /// The names of the files; one name if the log is a file.
  private let names: [String]
  private let folder: URL
  private let path: String

  /// The identifiers of the formats, "any" for a CSV of any format that must be recognised, "stream" for the lines of
  /// one, and "wav".
  static var readers: [String] { LogFormat.all.map(\.id) + ["any", "stream", "wav"] }

  /// Creates the folder for the inputs, in a memory file system if one exists.
  init?(reader: String) throws {
    guard Self.readers.contains(reader) else { return nil }
    let memory = "/dev/shm"
    let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    folder = URL(fileURLWithPath: parent).appendingPathComponent(
      "inertial-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    (isRecognised, isStream) = (reader == "any", reader == "stream")
    log = reader == "wav" ? nil : FormatLog(format: isRecognised || isStream ? "canonical-csv" : reader)
    guard let log else {
      precondition(reader == "wav", "no simulated log of \(reader)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      names = ["sound.wav"]
      path = folder.appendingPathComponent(names[0]).path
      return
    }
    path = try log.write(rows: Self.seedRows, to: folder)
    names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Returns a valid log of the format, as the bytes of one input.
  func seed() throws -> Data {
    guard log != nil else { return Self.sound }
    let files = try names.map { try Data(contentsOf: folder.appendingPathComponent($0)) }
    let object = #"{"time":1000,"accelerationX":0,"accelerationY":0,"accelerationZ":-1,"pressure":101.3}"#
    return Data(files.joined(separator: [Self.separator])) + (isStream ? Data(object.utf8) : Data())
  }

  /// Reads the log in the bytes to its end. Any result except samples or a well-formed error ends the process.
  func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    let parts =
      names.count == 1
      ? [bytes[...]]
      : bytes.split(separator: Self.separator, maxSplits: names.count - 1, omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      let file = folder.path + "/" + name
      guard index < parts.count else {
        unlink(file)
        continue
      }
      guard let output = fopen(file, "w") else { fatalError("cannot write \(file)") }
      fwrite(UnsafeBufferPointer(rebasing: parts[index]).baseAddress, 1, parts[index].count, output)
      fclose(output)
    }
    do throws(LogError) {
      let count = try read()
      // HDF5 and zip may expand, within the limits of their readers.
      precondition(count <= 1_000_000 + 1000 * bytes.count, "\(count) samples of \(bytes.count) bytes")
    } catch {
      precondition(!error.problem.isEmpty && !error.remedy.isEmpty)
      precondition(!error.description.contains(where: \.isNewline), error.description)
    }
  }

  private func read() throws(LogError) -> Int {
    guard let log else { return try readSound() }
    var options = log.options
    options.auxiliary = Set(AuxiliaryChannel.allCases)
    if isStream { return try readStream(options) }
    var reader =
      isRecognised
      ? try openLog(path: path, options: options)
      : try LogFormat(id: log.format)!.reader(of: path, options: options)
    var count = 0
    var samples: [SensorSample] = []
    var others: [AuxiliarySample] = []
    while try reader.read(into: &samples) {
      reader.takeAuxiliary(into: &others)
      precondition((0...1).contains(reader.progress))
      count += samples.count + others.count
      samples.removeAll(keepingCapacity: true)
      others.removeAll(keepingCapacity: true)
    }
    reader.takeAuxiliary(into: &others)
    return count + others.count
  }

  private func readStream(_ options: LogOptions) throws(LogError) -> Int {
    let file = open(path, O_RDONLY)
    precondition(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO, "cannot read \(path)")
    close(file)
    let source = try StreamSource(.standardInput, options: options)
    let counter = StreamCounter()
    let attachment = source.attach(counter)
    counter.ended.wait()
    attachment.cancel()
    if let error = counter.error { throw error }
    return counter.count
  }

  private func readSound() throws(LogError) -> Int {
    var reader = try SoundLevelReader(path: path)
    var levels: [AuxiliarySample] = []
    while try reader.read(into: &levels) {}
    return levels.count
  }

  /// Returns a WAV file with one channel of 16 bits at 8000 Hz.
  private static let sound: Data = {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let samples = (0..<2000).flatMap { little($0 % 50 * 300, 2) }
    var bytes = Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
    return Data(bytes + Array("data".utf8) + little(samples.count, 4) + samples)
  }()
}
