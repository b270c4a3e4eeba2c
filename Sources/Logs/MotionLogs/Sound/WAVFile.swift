/// The samples of a WAV file (RIFF, RF64), a piece at a time: PCM of 8, 16, 24 and 32 bits, float of 32 and 64 bits.
///
/// Nothing is taken from the file's word about its own length but where the sound begins: the sound ends where the data
/// chunk does, or the file.
struct WAVFile: SoundFrames {
  private enum Encoding { case unsigned8, signed16, signed24, signed32, float32, float64 }

  /// Frames per second.
  private(set) var sampleRate = 0.0
  private(set) var channelCount = 0
  let name: String

  private let file: InputFile
  private let size: Int?
  private var encoding = Encoding.signed16
  private var frameSize = 0
  /// Bytes of sound that the header says are still to come.
  private var rest = UInt64.max
  private var bytesRead = 0

  /// Frames read together at most.
  private static let framesPerRead = 4096
  private static let channelLimit = 64

  /// Opens a file ("-" is standard input) and reads up to where the sound begins.
  init(path: String) throws(LogError) {
    file = try InputFile(path: path, mayBeStream: true)
    name = file.name
    size = file.size
    let head = try take(12)
    guard head.count == 12, head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8),
      head[8...].elementsEqual("WAVE".utf8)
    else {
      throw failure("is no WAV file", "convert it: ffmpeg -i \(path) sound.wav")
    }
    var hasFormat = false
    while true {
      let header = try take(8)
      guard header.count == 8 else {
        throw failure(hasFormat ? "has no chunk of sound" : "has no chunk that says its format", "repair the file")
      }
      let length = Self.number(header[4...])
      if header.starts(with: "data".utf8) {
        guard hasFormat else { throw failure("has sound before its format", "repair the file") }
        // A recorder that was cut off, and RF64, leave 0 or all ones: then the sound ends with the file.
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

  /// The share of the file read so far, 0 to 1; 0 where its size is not known.
  var progress: Double { size.map { $0 > 0 ? min(1, Double(bytesRead) / Double($0)) : 1 } ?? 0 }

  /// Replaces `frames` by the next ones: the channels of a frame one after another, full scale ±1; false at the end.
  mutating func read(into frames: inout [Double]) throws(LogError) -> Bool {
    frames.removeAll(keepingCapacity: true)
    let wanted = Int(min(rest, UInt64(Self.framesPerRead * frameSize)))
    let bytes = try take(wanted)
    rest -= UInt64(bytes.count)
    // A frame that is cut off is none.
    let count = bytes.count / frameSize * frameSize
    guard count > 0 else { return false }
    bytes.withUnsafeBytes { bytes in
      let width = frameSize / channelCount
      for place in stride(from: 0, to: count, by: width) { frames.append(value(bytes, at: place)) }
    }
    return true
  }

  private func value(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Double {
    func load<T: FixedWidthInteger>(_ type: T.Type) -> T {
      T(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: T.self))
    }
    switch encoding {
    case .unsigned8: return (Double(bytes[place]) - 128) / 128
    case .signed16: return Double(load(Int16.self)) / 32768
    case .signed24:
      let high = Int32(Int8(bitPattern: bytes[place + 2])) << 16
      return Double(high | Int32(bytes[place + 1]) << 8 | Int32(bytes[place])) / 8_388_608
    case .signed32: return Double(load(Int32.self)) / 2_147_483_648
    case .float32: return Double(Float(bitPattern: load(UInt32.self)))
    case .float64: return Double(bitPattern: load(UInt64.self))
    }
  }

  private mutating func readFormat(_ bytes: [UInt8]) throws(LogError) {
    guard bytes.count >= 16 else { throw failure("has a broken format chunk", "repair the file") }
    var tag = Self.number(bytes[0..<2])
    channelCount = Int(Self.number(bytes[2..<4]))
    sampleRate = Double(Self.number(bytes[4..<8]))
    frameSize = Int(Self.number(bytes[12..<14]))
    let bits = Self.number(bytes[14..<16])
    // The extensible format says in its identifier's first two bytes what the tag else says.
    if tag == 0xFFFE, bytes.count >= 26 { tag = Self.number(bytes[24..<26]) }
    let encodings: [UInt64: [UInt64: Encoding]] = [
      1: [8: .unsigned8, 16: .signed16, 24: .signed24, 32: .signed32], 3: [32: .float32, 64: .float64],
    ]
    guard let encoding = encodings[tag]?[bits] else {
      throw failure(
        "has sound of format \(tag) with \(bits) bits, which is not known", "convert it to 16 bit PCM, as with ffmpeg")
    }
    self.encoding = encoding
    guard (1...Self.channelLimit).contains(channelCount), frameSize == channelCount * Int(bits) / 8,
      (1...10_000_000).contains(sampleRate)
    else {
      throw failure(
        "has \(channelCount) channels in frames of \(frameSize) bytes at \(sampleRate) Hz, which cannot be",
        "repair the file")
    }
  }

  // MARK: Bytes

  /// The next bytes; fewer only at the end of the file.
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
