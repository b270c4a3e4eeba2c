import Foundation
import InertialLive
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Tests that the samples of a log are the same to the last bit by every path into the library: a file, a pipe, a recording that
/// plays, lines of a stream, and arrays of a program.
@Suite("Equality of the paths of a sample") struct PathEqualityTests {
  private let folder = TemporaryFolder()

  /// The logs of the fuzz tests that open by themselves, one for each format.
  static let subjects = FuzzTests.Subject.all.filter { $0.format != nil }
  /// Formats whose lines a stream takes.
  static let streamed = subjects.filter {
    ["canonical-csv", "device-motion-csv", "header-csv"].contains($0.format) && $0.files.count == 1
  }

  /// The samples of a log as the bits of their times and values, or the message of its error.
  private struct Outcome: Equatable, CustomStringConvertible {
    var rows: [[UInt64]] = []
    var error: String?
    var description: String { error ?? "\(rows.count) samples" }

    init(_ load: () throws(LogError) -> [SensorSample]) {
      do throws(LogError) {
        let samples = try load()
        rows = samples.map { sample in
          [UInt64(SensorChannel.allCases.firstIndex(of: sample.channel)!), sample.time.bitPattern]
            + [sample.x, sample.y, sample.z, sample.w].map(\.bitPattern)
        }
      } catch { self.error = "\(error.problem); \(error.remedy)" }
    }
  }

  /// Writes a log and returns its path: the folder, or the only file that a format recognizes.
  private func path(of subject: FuzzTests.Subject) throws -> String {
    for (name, bytes) in subject.files { folder.write(bytes, to: name) }
    let format = try #require(LogFormat(id: subject.format!))
    if format.isFolder { return folder.path }
    let names = try subject.names.filter { name in
      let candidate = try LogCandidate(path: folder.path + "/" + name)
      return LogFormat.all.first { $0.recognizes(candidate) }?.id == format.id
    }
    return folder.path + "/" + (try #require(names.first))
  }

  /// Loads a log as a recording that plays: no channel is required, and those that follow a motion must be fast enough.
  private func load(_ path: String) throws(LogError) -> [SensorSample] {
    var feed = LogFeed(path: path)
    feed.neededChannels = []
    feed.followedChannels = LogFeed.motionChannels
    return try feed.load().samples
  }

  @Test("a recording that plays has the samples of its file", arguments: subjects)
  func recording(subject: FuzzTests.Subject) throws {
    let path = try path(of: subject)
    let file = Outcome { () throws(LogError) in try load(path) }
    let played = Outcome { () throws(LogError) in try RecordingSource(path: path).recordedSamples }
    #expect(played == file)
  }

  @Test("a pipe has the samples of the file", arguments: subjects.filter { $0.files.count == 1 })
  func pipe(subject: FuzzTests.Subject) throws {
    let path = try path(of: subject)
    let file = Outcome { () throws(LogError) in try load(path) }
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let bytes = subject.files.values.first!
    Thread.detachNewThread {
      signal(SIGPIPE, SIG_IGN)
      guard let file = fopen(pipe, "w") else { return }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    #expect(Outcome { () throws(LogError) in try load(pipe) } == file)
  }

  @Test("lines of a stream have the samples of the file", arguments: streamed)
  func stream(subject: FuzzTests.Subject) throws {
    let path = try path(of: subject)
    let file = Outcome { () throws(LogError) in try readAll(openLog(path: path)) }
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let stream = try SampleStream(descriptor: descriptor, name: "stream", options: LogOptions())
    var (samples, others): ([SensorSample], [AuxiliarySample]) = ([], [])
    let followed = Outcome { () throws(LogError) in
      while try stream.read(into: &samples, auxiliary: &others, timeout: 60) == .line {}
      return samples
    }
    #expect(followed == file)
  }

  @Test("arrays have the samples of the file", arguments: streamed)
  func arrays(subject: FuzzTests.Subject) throws {
    let path = try path(of: subject)
    let file = Outcome { () throws(LogError) in try readAll(openLog(path: path)) }
    let text = String(decoding: subject.files.values.first!, as: UTF8.self).drop { $0 == "\u{FEFF}" }
    let rows = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let numbers = rows.dropFirst().flatMap { row in row.map { Double($0) ?? .nan } }
    let held = numbers.withUnsafeBytes { bytes in
      Outcome { () throws(LogError) in
        let columns = rows[0].enumerated().map { index, name in
          InMemoryTable.Column(
            name: String(name), kind: .float64, base: bytes.baseAddress! + 8 * index, stride: 8 * rows[0].count)
        }
        return try readAll(
          InMemoryTableReader(
            InMemoryTable(columns: columns, rowCount: rows.count - 1), path: "arrays", options: LogOptions()))
      }
    }
    #expect(held == file)
  }
}
