import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// WAV files for tests.
enum WAVBytes {
  enum Sample { case unsigned8, signed16, signed24, signed32, float32, float64 }

  static func little(_ value: some FixedWidthInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: Int64(value) >> (8 * $0)) }
  }

  static func bytes(
    _ frames: [[Double]], rate: Int, _ sample: Sample = .signed16, isExtensible: Bool = false, before: [UInt8] = [],
    dataLength: Int? = nil
  ) -> [UInt8] {
    let channels = frames.first?.count ?? 1
    let (tag, bits) =
      switch sample {
      case .unsigned8: (1, 8)
      case .signed16: (1, 16)
      case .signed24: (1, 24)
      case .signed32: (1, 32)
      case .float32: (3, 32)
      case .float64: (3, 64)
      }
    let size = channels * bits / 8
    var format: [UInt8] = []
    for (value, count) in [
      (isExtensible ? 0xFFFE : tag, 2), (channels, 2), (rate, 4), (rate * size, 4), (size, 2), (bits, 2),
    ] { format += little(value, count) }
    if isExtensible {
      for (value, count) in [(22, 2), (bits, 2), (0, 4), (tag, 2)] { format += little(value, count) }
      format += [UInt8](repeating: 0, count: 14)
    }
    let data = frames.flatMap { $0 }.flatMap { value -> [UInt8] in
      switch sample {
      case .unsigned8: [UInt8(clamping: Int((value * 128 + 128).rounded()))]
      case .signed16: little(Int((value * 32767).rounded()), 2)
      case .signed24: little(Int((value * 8_388_607).rounded()), 3)
      case .signed32: little(Int((value * 2_147_483_647).rounded()), 4)
      case .float32: little(Float(value).bitPattern, 4)
      case .float64: (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
      }
    }
    var bytes = Array("RIFF....WAVE".utf8)
    bytes += before
    bytes += Array("fmt ".utf8)
    bytes += little(format.count, 4)
    bytes += format
    bytes += Array("data".utf8)
    bytes += little(dataLength ?? data.count, 4)
    bytes += data
    return bytes
  }

  static func sine(_ frequency: Double, rate: Int, seconds: Double, amplitude: Double = 1, channels: Int = 1)
    -> [[Double]]
  {
    (0..<Int(seconds * Double(rate))).map { index in
      let value = amplitude * sin(2 * .pi * frequency * Double(index) / Double(rate))
      return Array(repeating: value, count: channels)
    }
  }
}

@Suite struct SoundLevelTests {
  private let folder = TemporaryFolder()

  private func levels(
    _ bytes: [UInt8], window: Double = 0.125, frequencyWeighting: FrequencyWeighting = .flat,
    timeWeighting: SoundLevelReader.TimeWeighting = .mean, start: Double = 0
  ) throws(LogError) -> [AuxiliarySample] {
    var reader = try SoundLevelReader(
      path: folder.write(bytes, to: "sound.wav"), window: window, frequencyWeighting: frequencyWeighting,
      timeWeighting: timeWeighting, start: start)
    var samples: [AuxiliarySample] = []
    while try reader.read(into: &samples) {}
    return samples
  }

  @Test(
    "a full-scale sine is 0 dB in every encoding, at the middle of each window",
    arguments: [WAVBytes.Sample.unsigned8, .signed16, .signed24, .signed32, .float32, .float64])
  func encodings(sample: WAVBytes.Sample) throws {
    let sine = WAVBytes.sine(1000, rate: 8000, seconds: 1, amplitude: 0.99)
    let expected = 20 * log10(0.99)
    for isExtensible in [false, true] {
      let found = try levels(WAVBytes.bytes(sine, rate: 8000, sample, isExtensible: isExtensible), start: 5)
      #expect(found.count == 8)
      let middles: [Double] = (0..<8).map { 5 + (Double($0) + 0.5) / 8 }
      #expect(found.map(\.time) == middles)
      for level in found {
        // The resolution of eight bits is 0.4 % of full scale.
        #expect(abs(level["soundLevel"] - expected) < (sample == .unsigned8 ? 0.1 : 0.001))
        #expect(abs(level["soundPeak"] - expected) < 0.1)
      }
    }
  }

  @Test("channels are averaged in power, and silence is −200 dB")
  func channels() throws {
    let sine = WAVBytes.sine(500, rate: 8000, seconds: 0.5).map { [$0[0], 0] }
    let found = try levels(WAVBytes.bytes(sine, rate: 8000, .float32))
    #expect(found.count == 4 && found.allSatisfy { abs($0["soundLevel"] + 10 * log10(2)) < 1e-6 })
    let silence = try levels(WAVBytes.bytes(Array(repeating: [0, 0, 0], count: 1000), rate: 8000))
    #expect(silence.map { $0["soundLevel"] } == [-200] && silence[0]["soundPeak"] == -200)
  }

  @Test("windows of a fractional number of frames do not drift, and a short remainder is left out")
  func windows() throws {
    let sine = WAVBytes.sine(1000, rate: 11_025, seconds: 10)
    let found = try levels(WAVBytes.bytes(sine, rate: 11_025))
    #expect(found.count == 80)
    for (index, level) in found.enumerated() {
      let middle = (Double(index) + 0.5) / 8
      #expect(abs(level.time - middle) < 1.0 / 11_025)
    }
    #expect(try levels(WAVBytes.bytes(Array(sine.prefix(11_025 / 16 - 1)), rate: 11_025)).isEmpty)
    #expect(try levels(WAVBytes.bytes(Array(sine.prefix(11_025 / 16 + 2)), rate: 11_025)).count == 1)
  }

  @Test(
    "the exponential means fall with their time constants when the sound stops (IEC 61672-1: F 34.7, S 4.3 dB/s)",
    arguments: [(SoundLevelReader.TimeWeighting.fast, 34.7), (.slow, 4.34)])
  func decay(weighting: SoundLevelReader.TimeWeighting, rate: Double) throws {
    let sound = WAVBytes.sine(1000, rate: 8000, seconds: 8) + Array(repeating: [0], count: 16_000)
    let found = try levels(WAVBytes.bytes(sound, rate: 8000), timeWeighting: weighting)
    let before = found[63]
    #expect(abs(before["soundLevel"]) < 0.01 && before.time == 8)
    let fall = found[67]["soundLevel"] - found[71]["soundLevel"]
    #expect(abs(fall / 0.5 - rate) < 0.1)
  }

  /// The A weighting of IEC 61672-1:2013, table 3, in dB.
  @Test(
    "the A weighting matches the standard's",
    arguments: [
      (63.0, -26.2), (125, -16.1), (250, -8.6), (500, -3.2), (1000, 0), (2000, 1.2), (4000, 1.0), (8000, -1.1),
      (12_500, -4.3), (16_000, -6.6),
    ], [44_100, 48_000, 16_000])
  func aWeighting(point: (frequency: Double, weight: Double), rate: Int) throws {
    guard point.frequency < 0.3 * Double(rate) || rate > 40_000 else { return }
    let sine = WAVBytes.sine(point.frequency, rate: rate, seconds: 1, amplitude: 0.1)
    let found = try levels(WAVBytes.bytes(sine, rate: rate, .float32), frequencyWeighting: .a)
    // Measured errors of the filter: within 0.1 dB to 10 kHz and 0.6 dB to 16 kHz at 44.1 and 48 kHz, 0.8 dB to 4 kHz
    // at 16 kHz. The table is rounded to 0.1 dB.
    let allowed = rate == 16_000 ? 0.85 : point.frequency > 10_000 ? 0.65 : 0.15
    #expect(abs(found[6]["soundLevel"] + 20 - point.weight) < allowed, "\(found[6]["soundLevel"] + 20)")
  }

  @Test("chunks before the sound are skipped, also of odd length, and the sound ends with its chunk or the file")
  func chunks() throws {
    let frames = WAVBytes.sine(1000, rate: 8000, seconds: 0.25)
    var odd = Array("LIST".utf8)
    odd += WAVBytes.little(3, 4)
    odd += [1, 2, 3, 0]
    #expect(try levels(WAVBytes.bytes(frames, rate: 8000, before: odd)).count == 2)
    #expect(try levels(WAVBytes.bytes(frames, rate: 8000, dataLength: 2000)).count == 1)
    // Lengths that an interrupted recorder leaves.
    for length in [0, 0xFFFF_FFFF, 1_000_000] {
      #expect(try levels(WAVBytes.bytes(frames, rate: 8000, dataLength: length)).count == 2)
    }
    #expect(try levels(WAVBytes.bytes(frames, rate: 8000) + [7]).count == 2)
  }

  @Test("an unreadable sound file is an error with a remedy")
  func errors() {
    let good = WAVBytes.bytes(WAVBytes.sine(1000, rate: 8000, seconds: 0.25), rate: 8000)
    func error(_ position: Int, _ byte: UInt8) -> String? {
      var bytes = good
      bytes[position] = byte
      return logError(of: try levels(bytes))?.problem
    }
    #expect(error(0, 0x58) == "is not a WAV file")
    #expect(error(20, 7) == "has sound of format 7 with 16 bits, which is unknown")
    #expect(error(34, 12) == "has sound of format 1 with 12 bits, which is unknown")
    #expect(error(22, 0)?.contains("is not valid") == true && error(32, 3)?.contains("is not valid") == true)
    #expect(error(12, 0x58) == "has its data chunk before its format chunk" && error(36, 0x58) == "has no data chunk")
    #expect(error(16, 3) == "has a broken format chunk")
    #expect(logError(of: try levels(Array(good.prefix(12))))?.problem.hasPrefix("has no format chunk") == true)
    #expect(logError(of: try SoundLevelReader(path: folder.path("none.wav")))?.problem == "no such file")
  }

  @Test("float samples that are not finite are silence, and huge ones are clamped")
  func notNumbers() throws {
    let frames = [[Double.nan], [Double.infinity], [1e300]] + Array(repeating: [0.0], count: 997)
    let found = try levels(WAVBytes.bytes(frames, rate: 8000, .float64))
    #expect(found.count == 1 && found[0]["soundPeak"] == 120 && found[0]["soundLevel"].isFinite)
  }

  @Test("mutated files are read or refused, with at most as many levels as frames")
  func fuzz() {
    let bytes = WAVBytes.bytes(WAVBytes.sine(100, rate: 200, seconds: 0.5, channels: 2), rate: 200)
    var mutator = LogMutator(seed: 5)
    var read = 0
    for _ in 0..<3000 {
      let mutated = mutator.mutate(bytes, isText: false)
      guard let found = try? levels(mutated, window: 0.01, frequencyWeighting: .a) else { continue }
      if !found.isEmpty { read += 1 }
      #expect(found.count <= mutated.count && found.allSatisfy { $0["soundLevel"].isFinite })
    }
    #expect((200..<2900).contains(read), "\(read) read")
  }
}
