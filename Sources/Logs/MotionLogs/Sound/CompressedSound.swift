internal import InertialSystem

/// The functions of libsndfile (libsndfile.github.io/libsndfile/api.html), loaded with the first compressed sound file: other
/// logs do without the library.
private struct SoundLibrary: @unchecked Sendable {
  /// The library's `SF_INFO`.
  struct Info {
    var frames: Int64 = 0
    var sampleRate: Int32 = 0
    var channels: Int32 = 0
    var format: Int32 = 0
    var sections: Int32 = 0
    var isSeekable: Int32 = 0
  }

  typealias Open = @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
  typealias Close = @convention(c) (OpaquePointer?) -> Int32
  typealias Read = @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>?, Int64) -> Int64
  typealias Failure = @convention(c) (OpaquePointer?) -> Int32
  typealias Reason = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

  /// `SFM_READ`.
  static let readMode: Int32 = 0x10

  let open: Open
  let close: Close
  let read: Read
  let failure: Failure
  let reason: Reason

  #if canImport(Darwin)
    private static let names = ["libsndfile.dylib", "libsndfile.1.dylib"]
  #else
    private static let names = ["libsndfile.so.1", "libsndfile.so"]
  #endif

  /// `nil` if the library is not installed.
  static let shared = SoundLibrary()

  private init?() {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
    func find<Function>(_ name: String) -> Function? {
      dlsym(library, "sf_" + name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let open: Open = find("open"), let close: Close = find("close"), let read: Read = find("readf_double"),
      let failure: Failure = find("error"), let reason: Reason = find("strerror")
    else { return nil }
    (self.open, self.close, self.read, self.failure, self.reason) = (open, close, read, failure, reason)
  }
}

/// The samples of a compressed sound file, decoded by libsndfile: FLAC, Ogg Vorbis, Opus, MP3, AIFF and CAF (ALAC, PCM).
final class CompressedSound: SoundFrames {
  let name: String
  let sampleRate: Double
  let channelCount: Int
  private let library: SoundLibrary
  private let handle: OpaquePointer
  private let frameCount: Int64
  private var framesRead: Int64 = 0

  private static let framesPerRead = 4096
  private static let channelLimit = 64

  /// Whether libsndfile is installed.
  static var isAvailable: Bool { SoundLibrary.shared != nil }

  /// - Parameter kind: The format that the file's first bytes show, for messages.
  /// - Throws: `LogError` if libsndfile is missing or cannot decode the file.
  init(path: String, kind: SoundKind) throws(LogError) {
    guard let library = SoundLibrary.shared else {
      throw LogError(
        path: path, problem: "is \(kind.rawValue), and libsndfile, which decodes it, is not installed",
        remedy: "install it (apt-get install libsndfile1), or convert the file: ffmpeg -i \(path) sound.wav")
    }
    var info = SoundLibrary.Info()
    guard let handle = library.open(path, SoundLibrary.readMode, &info) else {
      throw LogError(
        path: path, problem: "is \(kind.rawValue) that cannot be decoded (\(Self.reason(nil, in: library)))",
        remedy: "repair it, or convert it: ffmpeg -i \(path) sound.wav")
    }
    guard (1...Self.channelLimit).contains(Int(info.channels)), (1...10_000_000).contains(info.sampleRate) else {
      _ = library.close(handle)
      throw LogError(
        path: path, problem: "has \(info.channels) channels at \(info.sampleRate) Hz, which is not valid",
        remedy: "repair the file")
    }
    self.library = library
    self.handle = handle
    name = path
    sampleRate = Double(info.sampleRate)
    channelCount = Int(info.channels)
    frameCount = info.frames
  }

  deinit { _ = library.close(handle) }

  /// The fraction of the frames that were read, 0 if the stream does not specify its length.
  var progress: Double { frameCount > 0 ? min(1, Double(framesRead) / Double(frameCount)) : 0 }

  func read(into frames: inout [Double]) throws(LogError) -> Bool {
    frames.removeAll(keepingCapacity: true)
    frames.append(contentsOf: repeatElement(0, count: Self.framesPerRead * channelCount))
    let count = frames.withUnsafeMutableBufferPointer {
      library.read(handle, $0.baseAddress, Int64(Self.framesPerRead))
    }
    let found = max(0, Int(count))
    frames.removeLast((Self.framesPerRead - found) * channelCount)
    framesRead += Int64(found)
    if found == 0, library.failure(handle) != 0 {
      let time = (1000 * Double(framesRead) / sampleRate).rounded() / 1000
      throw LogError(
        path: name, problem: "cannot be decoded from \(time) s on (\(Self.reason(handle, in: library)))",
        remedy: "repair it, or convert it: ffmpeg -i \(name) sound.wav")
    }
    return found > 0
  }

  /// The library's message without its full stop.
  private static func reason(_ handle: OpaquePointer?, in library: SoundLibrary) -> String {
    var text = library.reason(handle).map { String(cString: $0) } ?? ""
    while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
    return text
  }
}
