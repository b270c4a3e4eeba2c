#if CompressedSound
  internal import CSndfile

  /// The samples of a compressed sound file, decoded by libsndfile: FLAC, Ogg Vorbis, Opus, MP3, AIFF and CAF (ALAC, PCM).
  final class CompressedSound: SoundFrames {
    let name: String
    let sampleRate: Double
    let channelCount: Int
    private let handle: OpaquePointer
    private let frameCount: Int64
    private var framesRead: Int64 = 0

    private static let framesPerRead = 4096
    private static let channelLimit = 64

    /// - Parameter kind: what its first bytes tell, for messages.
    init(path: String, kind: SoundKind) throws(LogError) {
      var info = SF_INFO()
      guard let handle = sf_open(path, Int32(SFM_READ), &info) else {
        throw LogError(
          path: path, problem: "is \(kind.rawValue) that cannot be decoded (\(Self.reason(nil)))",
          remedy: "repair it, or convert it: ffmpeg -i \(path) sound.wav")
      }
      guard (1...Self.channelLimit).contains(Int(info.channels)), (1...10_000_000).contains(info.samplerate) else {
        sf_close(handle)
        throw LogError(
          path: path, problem: "has \(info.channels) channels at \(info.samplerate) Hz, which cannot be",
          remedy: "repair the file")
      }
      self.handle = handle
      name = path
      sampleRate = Double(info.samplerate)
      channelCount = Int(info.channels)
      frameCount = Int64(info.frames)
    }

    deinit { sf_close(handle) }

    /// Some streams do not tell how long they are.
    var progress: Double { frameCount > 0 ? min(1, Double(framesRead) / Double(frameCount)) : 0 }

    func read(into frames: inout [Double]) throws(LogError) -> Bool {
      frames.removeAll(keepingCapacity: true)
      frames.append(contentsOf: repeatElement(0, count: Self.framesPerRead * channelCount))
      let count = frames.withUnsafeMutableBufferPointer {
        sf_readf_double(handle, $0.baseAddress, sf_count_t(Self.framesPerRead))
      }
      let found = max(0, Int(count))
      frames.removeLast((Self.framesPerRead - found) * channelCount)
      framesRead += Int64(found)
      if found == 0, sf_error(handle) != SF_ERR_NO_ERROR {
        let time = (1000 * Double(framesRead) / sampleRate).rounded() / 1000
        throw LogError(
          path: name, problem: "cannot be decoded from \(time) s on (\(Self.reason(handle)))",
          remedy: "repair it, or convert it: ffmpeg -i \(name) sound.wav")
      }
      return found > 0
    }

    /// libsndfile's words, without its full stop.
    private static func reason(_ handle: OpaquePointer?) -> String {
      var text = String(cString: sf_strerror(handle))
      while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
      return text
    }
  }
#endif
