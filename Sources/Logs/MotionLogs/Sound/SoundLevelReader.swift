public import InertialSensors
internal import InertialSystem

/// Reads the sound level of a WAV file, or of a compressed file if libsndfile is installed, as samples of the
/// channel `microphone`, in bounded memory.
///
/// `soundLevel` is in dB relative to the root mean square of a sine of full scale (AES17; 3.01 dB above a meter that
/// refers to a full-scale square), over all channels of the file; `soundPeak` is the largest absolute value in dB
/// relative to full scale. Silence is reported as −200 dB. A window's mean has the time of the window's middle, an
/// exponential mean that of its end.
public struct SoundLevelReader {
  /// The averaging of the level over time.
  public enum TimeWeighting: String, Sendable, CaseIterable, Codable {
    /// The mean of each window.
    case mean
    /// The exponential mean with a time constant of 0.125 s (IEC 61672-1, F).
    case fast
    /// The exponential mean with a time constant of 1 s (IEC 61672-1, S).
    case slow
  }

  /// The level reported for silence, in dB.
  public static let silence = -200.0

  private var file: any SoundFrames
  private let window: Double
  private let timeWeighting: TimeWeighting
  private let start: Double
  private var filters: [AWeightingFilter]
  private var frames: [Double] = []
  /// The number of frames up to the current one, and within the current window.
  private var frameCount = 0
  private var windowCount = 0
  private var windowsDone = 0
  /// The first frame of the window, and its end. Windows do not drift if their length is not a whole number of frames.
  private var windowStart = 0
  private var windowEnd = 0
  private var sum = 0.0
  private var peak = 0.0
  private var smoothed = 0.0
  private let decay: Double

  /// Opens a sound file, recognized by its first bytes: WAV, and if libsndfile is installed, FLAC, Ogg
  /// Vorbis, Opus, MP3, AIFF and CAF.
  ///
  /// - Parameters:
  ///   - path: The path of the file; "-" is standard input, a WAV file.
  ///   - window: The interval between levels, in seconds.
  ///   - frequencyWeighting: The weighting of frequencies.
  ///   - timeWeighting: The averaging of the level over time.
  ///   - start: The time of the file's beginning on the log's clock, in seconds.
  public init(
    path: String, window: Double = 0.125, frequencyWeighting: FrequencyWeighting = .flat,
    timeWeighting: TimeWeighting = .mean, start: Double = 0
  ) throws(LogError) {
    precondition(window > 0, "a window of \(window) s")
    file = try openSound(path: path)
    (self.window, self.timeWeighting, self.start) = (window, timeWeighting, start)
    filters =
      frequencyWeighting == .a
      ? Array(repeating: AWeightingFilter(sampleRate: file.sampleRate), count: file.channelCount) : []
    let constant = timeWeighting == .slow ? 1 : 0.125
    decay = exp(-1 / (constant * file.sampleRate))
    beginWindow()
  }

  /// The sample rate, in frames per second.
  public var sampleRate: Double { file.sampleRate }
  /// The number of channels of the sound.
  public var channelCount: Int { file.channelCount }
  /// The fraction of the file read so far, 0 to 1.
  public var progress: Double { file.progress }

  /// Appends the next levels; returns `false` at the end of the file if none was appended.
  ///
  /// A last window of less than half its length is left out.
  public mutating func read(into batch: inout [AuxiliarySample]) throws(LogError) -> Bool {
    let before = batch.count
    while batch.count == before {
      guard try file.read(into: &frames) else {
        guard 2 * windowCount >= windowEnd - windowStart, windowCount > 0 else { return false }
        batch.append(level())
        return true
      }
      for start in stride(from: 0, to: frames.count, by: file.channelCount) {
        add(frames[start..<(start + file.channelCount)])
        if frameCount == windowEnd { batch.append(level()) }
      }
    }
    return true
  }

  private mutating func beginWindow() {
    windowStart = frameCount
    // The limit exceeds any file and prevents an overflow for long windows.
    let end = min((Double(windowsDone + 1) * window * file.sampleRate).rounded(), 0x1p52)
    windowEnd = max(Int(end), windowStart + 1)
  }

  private mutating func add(_ frame: ArraySlice<Double>) {
    var square = 0.0
    for (channel, value) in frame.enumerated() {
      // A floating-point file may contain NaN or infinity.
      let value = value.isFinite ? min(max(value, -1e6), 1e6) : 0
      peak = max(peak, abs(value))
      let heard = filters.isEmpty ? value : filters[channel](value)
      square += heard * heard
    }
    square /= Double(file.channelCount)
    sum += square
    smoothed = square + decay * (smoothed - square)
    frameCount += 1
    windowCount += 1
  }

  private mutating func level() -> AuxiliarySample {
    let isMean = timeWeighting == .mean
    let end = Double(frameCount) / file.sampleRate
    let length = Double(windowCount) / file.sampleRate
    var sample = AuxiliarySample(time: start + (isMean ? end - length / 2 : end), channel: .microphone)
    // The mean square of a full-scale sine is 0.5.
    sample["soundLevel"] = Self.decibels(2 * (isMean ? sum / Double(windowCount) : smoothed))
    sample["soundPeak"] = Self.decibels(peak * peak)
    (sum, peak, windowCount) = (0, 0, 0)
    windowsDone += 1
    beginWindow()
    return sample
  }

  private static func decibels(_ power: Double) -> Double {
    power > 0 ? max(silence, 10 * log10(power)) : silence
  }
}
