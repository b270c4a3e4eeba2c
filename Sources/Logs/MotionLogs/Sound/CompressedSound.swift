internal import InertialSystem

/// The samples of a compressed sound file, decoded by libsndfile (libsndfile.github.io/libsndfile/api.html): FLAC, Ogg
/// Vorbis, Opus, MP3, AIFF and CAF (ALAC, PCM).
///
/// The library is loaded with the first compressed sound file: other logs do without it.
final class CompressedSound: SoundFrames {
  let name: String
  let sampleRate: Double
  let channelCount: Int
  private let close: @convention(c) (OpaquePointer?) -> Int32
  private let decode: @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>?, Int64) -> Int64
  private let failure: @convention(c) (OpaquePointer?) -> Int32
  private let message: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  private let handle: OpaquePointer
  private let frameCount: Int64
  private var framesRead: Int64 = 0

  /// The library's `SF_INFO`.
  private struct Info {
    var frames: Int64 = 0
    var sampleRate: Int32 = 0
    var channels: Int32 = 0
    var format: Int32 = 0
    var sections: Int32 = 0
    var isSeekable: Int32 = 0
  }

  #if canImport(Darwin)
    private static let names = ["libsndfile.dylib", "libsndfile.1.dylib"]
  #else
    private static let names = ["libsndfile.so.1", "libsndfile.so"]
  #endif
  /// The library, or `nil` if it is not installed.
  nonisolated(unsafe) private static let library = names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first

  /// `SFM_READ`.
  private static let readMode: Int32 = 0x10
  private static let framesPerRead = 4096
  private static let channelLimit = 64

  /// Whether libsndfile is installed.
  static var isAvailable: Bool { library != nil }

  /// - Parameter kind: The format that the file's first bytes show, for messages.
  /// - Throws: `LogError` if libsndfile is missing or cannot decode the file.
  init(path: String, kind: SoundKind) throws(LogError) {
    func find<Function>(_ name: String) throws(LogError) -> Function {
      guard let library = Self.library, let symbol = dlsym(library, "sf_" + name) else {
        throw LogError(
          path: path, problem: "is \(kind.rawValue), and libsndfile, which decodes it, is not installed",
          remedy: "install it (apt-get install libsndfile1), or convert the file: ffmpeg -i \(path) sound.wav")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    let open: @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer? = try find("open")
    (close, decode) = (try find("close"), try find("readf_double"))
    (failure, message) = (try find("error"), try find("strerror"))
    var info = Info()
    guard let handle = open(path, Self.readMode, &info) else {
      throw LogError(
        path: path, problem: "is \(kind.rawValue) that cannot be decoded (\(Self.reason(message(nil))))",
        remedy: "repair it, or convert it: ffmpeg -i \(path) sound.wav")
    }
    guard (1...Self.channelLimit).contains(Int(info.channels)), (1...10_000_000).contains(info.sampleRate) else {
      _ = close(handle)
      throw LogError(
        path: path, problem: "has \(info.channels) channels at \(info.sampleRate) Hz, which is not valid",
        remedy: "repair the file")
    }
    self.handle = handle
    name = path
    sampleRate = Double(info.sampleRate)
    channelCount = Int(info.channels)
    frameCount = info.frames
  }

  deinit { _ = close(handle) }

  /// The fraction of the frames that were read, 0 if the stream does not specify its length.
  var progress: Double { frameCount > 0 ? min(1, Double(framesRead) / Double(frameCount)) : 0 }

  func read(into frames: inout [Double]) throws(LogError) -> Bool {
    frames.removeAll(keepingCapacity: true)
    frames.append(contentsOf: repeatElement(0, count: Self.framesPerRead * channelCount))
    let count = frames.withUnsafeMutableBufferPointer { decode(handle, $0.baseAddress, Int64(Self.framesPerRead)) }
    let found = max(0, Int(count))
    frames.removeLast((Self.framesPerRead - found) * channelCount)
    framesRead += Int64(found)
    if found == 0, failure(handle) != 0 {
      let time = (1000 * Double(framesRead) / sampleRate).rounded() / 1000
      throw LogError(
        path: name, problem: "cannot be decoded from \(time) s on (\(Self.reason(message(handle))))",
        remedy: "repair it, or convert it: ffmpeg -i \(name) sound.wav")
    }
    return found > 0
  }

  /// Returns a message of the library without its full stop.
  private static func reason(_ message: UnsafePointer<CChar>?) -> String {
    var text = message.map { String(cString: $0) } ?? ""
    while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
    return text
  }
}
