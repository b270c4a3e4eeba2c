import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Compressed files for tests, written by the library that reads them.
enum SoundBytes {
  /// File endings and libsndfile's format codes: FLAC PCM 16, Ogg Vorbis, Ogg Opus, MPEG layer III, AIFF PCM 24, CAF ALAC 16.
  static let formats: [(ending: String, format: Int32)] = [
    ("flac", 0x170002), ("ogg", 0x200060), ("opus", 0x200064), ("mp3", 0x230082), ("aiff", 0x020003), ("caf", 0x180070),
  ]
  static let isAvailable = Need("sound", "libsndfile is not installed") { CompressedSound.isAvailable }

  /// The library's `SF_INFO`.
  private struct Info {
    var frames: Int64 = 0
    var rate: Int32
    var channels: Int32
    var format: Int32
    var sections: Int32 = 0
    var isSeekable: Int32 = 0
  }

  static func write(_ frames: [[Double]], rate: Int32, format: Int32, to path: String) throws {
    typealias Open = @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
    typealias Write = @convention(c) (OpaquePointer, UnsafePointer<Double>, Int64) -> Int64
    typealias Close = @convention(c) (OpaquePointer) -> Int32
    let library = try #require(dlopen("libsndfile.so.1", RTLD_NOW) ?? dlopen("libsndfile.dylib", RTLD_NOW))
    let open = unsafeBitCast(try #require(dlsym(library, "sf_open")), to: Open.self)
    let write = unsafeBitCast(try #require(dlsym(library, "sf_writef_double")), to: Write.self)
    let close = unsafeBitCast(try #require(dlsym(library, "sf_close")), to: Close.self)
    var info = Info(rate: rate, channels: Int32(frames[0].count), format: format)
    let handle = try #require(open(path, 0x20, &info))
    let samples = frames.flatMap { $0 }
    #expect(write(handle, samples, Int64(frames.count)) == Int64(frames.count))
    _ = close(handle)
  }
}

/// Returns the levels of a sound file.
func soundLevels(_ path: String) throws(LogError) -> [AuxiliarySample] {
  var reader = try SoundLevelReader(path: path)
  var levels: [AuxiliarySample] = []
  while try reader.read(into: &levels) {}
  return levels
}

@Suite("Compressed sound", .needs(SoundBytes.isAvailable)) struct CompressedSoundTests {
  private let folder = TemporaryFolder()
  private static let frames = WAVBytes.sine(1000, rate: 48_000, seconds: 2, amplitude: 0.25, channels: 2)

  @Test(
    "the levels equal those of the same sound in WAV, with any file name", arguments: SoundBytes.formats.indices)
  func levels(index: Int) throws {
    let (ending, format) = SoundBytes.formats[index]
    let path = folder.path("sound.bin")
    try SoundBytes.write(Self.frames, rate: 48_000, format: format, to: path)
    let expected = try soundLevels(folder.write(WAVBytes.bytes(Self.frames, rate: 48_000), to: "sound.wav"))
    let found = try soundLevels(path)
    // Codecs with loss may add a little silence before and behind.
    #expect(expected.count == 16 && (16...18).contains(found.count), "\(ending): \(found.count)")
    for position in 2..<14 {
      #expect(found[position].time == expected[position].time)
      #expect(
        abs(found[position]["soundLevel"] - -12.04) < (["ogg", "opus", "mp3"].contains(ending) ? 0.5 : 0.01),
        "\(ending)")
    }
  }

  @Test("damaged files are refused with their name, or read as far as they go", arguments: SoundBytes.formats.indices)
  func damage(index: Int) throws {
    let (ending, format) = SoundBytes.formats[index]
    let path = folder.path("whole")
    try SoundBytes.write(Self.frames, rate: 48_000, format: format, to: path)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in [13, 40, whole.count / 3, whole.count / 2] {
      let cut = folder.write(Array(whole.prefix(length)), to: "cut")
      do throws(LogError) { #expect(try soundLevels(cut).count <= 18) } catch {
        #expect(error.path == cut && error.remedy.contains("convert it"), "\(ending): \(error)")
      }
    }
  }
}

@Suite("Kinds of sound files") struct SoundKindTests {
  private let folder = TemporaryFolder()

  private func error(_ head: [UInt8]) -> LogError? {
    let path = folder.write(head + [UInt8](repeating: 0, count: 64), to: "sound")
    return logError { () throws(LogError) in try SoundLevelReader(path: path) }
  }

  @Test("each format is recognised by its first bytes")
  func kinds() {
    let heads: [(SoundKind, [UInt8])] = [
      (.wav, Array("RIFF".utf8)), (.wav, Array("RF64".utf8)), (.flac, Array("fLaC".utf8)), (.ogg, Array("OggS".utf8)),
      (.aiff, Array("FORM".utf8)), (.caf, Array("caff".utf8)), (.mpeg4, [0, 0, 0, 28] + Array("ftypM4A ".utf8)),
      (.mp3, Array("ID3".utf8)), (.mp3, [0xFF, 0xFB]), (.aac, [0xFF, 0xF1]), (.aac, [0xFF, 0xF9]),
    ]
    for (kind, head) in heads { #expect(SoundKind(head: head) == kind) }
    #expect(SoundKind(head: Array("time,".utf8)) == nil && SoundKind(head: []) == nil)
  }

  @Test("a pipe has WAV, of which no byte is lost by looking at it")
  func pipe() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = WAVBytes.bytes(WAVBytes.sine(100, rate: 8000, seconds: 1), rate: 8000)
    Thread.detachNewThread {
      guard let file = fopen(path, "w") else { return }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    #expect(try soundLevels(path).count == 8)
  }

  @Test("a file that its decoder refuses is an error with the kind of file", .needs(SoundBytes.isAvailable))
  func nonsense() {
    for (word, kind) in [("fLaC", "FLAC"), ("OggS", "Ogg"), ("caff", "CAF")] {
      let found = error(Array(word.utf8))
      #expect(found?.problem.hasPrefix("is \(kind)") == true, "\(word): \(String(describing: found))")
      #expect(found?.problem.contains("that cannot be decoded (") == true)
      #expect(found?.remedy.hasPrefix("repair it, or convert it: ffmpeg -i ") == true)
    }
  }

  @Test("a format without a decoder is an error with its name and the way to convert it")
  func withoutDecoder() {
    let mpeg4 = error([0, 0, 0, 28] + Array("ftypM4A ".utf8))
    #expect(mpeg4?.problem == "is MPEG-4 sound (m4a), for which there is no decoder")
    #expect(mpeg4?.remedy.hasPrefix("convert it: ffmpeg -i ") == true)
    #expect(error([0xFF, 0xF1])?.problem == "is AAC, for which there is no decoder")
    let flac = error(Array("fLaC".utf8))
    #expect(flac?.problem.hasPrefix("is FLAC") == true && flac?.remedy.contains("ffmpeg -i ") == true)
    #expect(flac?.problem.contains("libsndfile, which decodes it, is not installed") == !CompressedSound.isAvailable)
    #expect(error(Array("time".utf8))?.problem == "is not a WAV file")
  }
}
