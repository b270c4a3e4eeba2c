/// The samples of a WAV file (RIFF, RF64), read in blocks: PCM of 8, 16, 24 and 32 bits, float of 32 and 64 bits.
///
/// The file's length in the RIFF header is ignored: the sound ends with the data chunk or the file.
struct WAVFile: SoundFrames {
  /// The sample rate, in frames per second.
  private(set) var sampleRate = 0.0
  private(set) var channelCount = 0
  let name: String

  private let file: InputFile
  private let size: Int?
  /// Whether the numbers have a floating point.
  private var isFloat = false
  private var frameSize = 0
  /// The number of remaining bytes of sound, according to the header.
  private var rest = UInt64.max
  private var bytesRead = 0

  /// The maximum number of frames per read.
  private static let framesPerRead = 4096
  private static let channelLimit = 64

  /// Opens a file ("-" is standard input) and reads up to the beginning of the sound.
  init(path: String) throws(LogError) {
    file = try InputFile(path: path, mayBeStream: true)
    name = file.name
    size = file.size
    let head = try take(12)
    guard head.count == 12, head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8),
      head[8...].elementsEqual("WAVE".utf8)
    else {
      throw failure("is not a WAV file", "convert it: ffmpeg -i \(path) sound.wav")
    }
    var hasFormat = false
    while true {
      let header = try take(8)
      guard header.count == 8 else {
        throw failure(hasFormat ? "has no data chunk" : "has no format chunk", "repair the file")
      }
      let length = Self.number(header[4...])
      if header.starts(with: "data".utf8) {
        guard hasFormat else { throw failure("has its data chunk before its format chunk", "repair the file") }
        // After an interrupted recording, and in RF64, the length is 0 or all ones; the sound then ends with the file.
        if length != 0, length != 0xFFFF_FFFF { rest = length }
        return
      }
      if header.starts(with: "fmt ".utf8) {
        guard (16...1024).contains(length) else { throw failure("has a broken format chunk", "repair the file") }
        try readFormat(take(Int(length)))
        hasFormat = true
        if length % 2 == 1 { _ = try take(1) }
      } else {
        try skip(length + length % 2)
      }
    }
  }

  /// The fraction of the file read so far, 0 to 1; 0 if its size is unknown.
  var progress: Double { size.map { $0 > 0 ? min(1, Double(bytesRead) / Double($0)) : 1 } ?? 0 }

  /// Replaces `frames` with the next interleaved samples, full scale ±1; returns `false` at the end.
  mutating func read(into frames: inout [Double]) throws(LogError) -> Bool {
    frames.removeAll(keepingCapacity: true)
    let wanted = Int(min(rest, UInt64(Self.framesPerRead * frameSize)))
    let bytes = try take(wanted)
    rest -= UInt64(bytes.count)
    // An incomplete frame is discarded.
    let count = bytes.count / frameSize * frameSize
    guard count > 0 else { return false }
    bytes.withUnsafeBytes { bytes in
      let width = frameSize / channelCount
      for position in stride(from: 0, to: count, by: width) { frames.append(value(bytes, at: position, width)) }
    }
    return true
  }

  /// Returns the number of `width` bytes at a position.
  private func value(_ bytes: UnsafeRawBufferPointer, at position: Int, _ width: Int) -> Double {
    func load<T: FixedWidthInteger>(_ type: T.Type) -> T {
      T(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
    }
    switch (isFloat, width) {
    case (false, 1): return (Double(bytes[position]) - 128) / 128
    case (false, 2): return Double(load(Int16.self)) / 32768
    case (false, 3):
      let high = Int32(Int8(bitPattern: bytes[position + 2])) << 16
      return Double(high | Int32(bytes[position + 1]) << 8 | Int32(bytes[position])) / 8_388_608
    case (false, _): return Double(load(Int32.self)) / 2_147_483_648
    case (true, 4): return Double(Float(bitPattern: load(UInt32.self)))
    case (true, _): return Double(bitPattern: load(UInt64.self))
    }
  }

  private mutating func readFormat(_ bytes: [UInt8]) throws(LogError) {
    guard bytes.count >= 16 else { throw failure("has a broken format chunk", "repair the file") }
    var tag = Self.number(bytes[0..<2])
    channelCount = Int(Self.number(bytes[2..<4]))
    sampleRate = Double(Self.number(bytes[4..<8]))
    frameSize = Int(Self.number(bytes[12..<14]))
    let bits = Self.number(bytes[14..<16])
    // In the extensible format, the first two bytes of the identifier replace the tag.
    if tag == 0xFFFE, bytes.count >= 26 { tag = Self.number(bytes[24..<26]) }
    let sizes: [UInt64: [UInt64]] = [1: [8, 16, 24, 32], 3: [32, 64]]
    guard sizes[tag]?.contains(bits) == true else {
      throw failure(
        "has sound of format \(tag) with \(bits) bits, which is unknown", "convert it to 16 bit PCM, as with ffmpeg")
    }
    isFloat = tag == 3
    guard (1...Self.channelLimit).contains(channelCount), frameSize == channelCount * Int(bits) / 8,
      (1...10_000_000).contains(sampleRate)
    else {
      throw failure(
        "has \(channelCount) channels in frames of \(frameSize) bytes at \(sampleRate) Hz, which is not valid",
        "repair the file")
    }
  }

  // MARK: Bytes

  /// Returns the next bytes; fewer only at the end of the file.
  private mutating func take(_ count: Int) throws(LogError) -> [UInt8] {
    let bytes = try file.readBytes(upTo: count)
    bytesRead += bytes.count
    return bytes
  }

  private mutating func skip(_ count: UInt64) throws(LogError) {
    var left = count
    while left > 0 {
      let bytes = try take(Int(min(left, 1 << 16)))
      if bytes.isEmpty { return }
      left -= UInt64(bytes.count)
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func failure(_ problem: String, _ remedy: String) -> LogError {
    LogError(path: name, problem: problem, remedy: remedy)
  }
}
