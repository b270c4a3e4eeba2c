#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A window of 2.56 s: its features, and what the rules of physics look at.
public struct ActivityWindow: Sendable, Hashable {
  /// First and last moment, seconds on the log's clock.
  public let start: Double
  public let end: Double
  /// Whether nothing is known of the time before, as after a gap.
  public let isFirst: Bool
  /// In the order of `ActivityFeature.allCases`.
  public private(set) var features: [Float]
  /// Root mean square of the acceleration in all directions, g.
  public private(set) var level: Float = 0
  /// Its parts from 5 to 18 Hz, as wheels and engines shake, and from 0.3 to 3.5 Hz, as persons move, g.
  public private(set) var fast: Float = 0
  public private(set) var slow: Float = 0

  /// Of the features, what the rules look at: `repetition`, `verticalSkewness` and `verticalKurtosis`; and the root mean
  /// square of the acceleration downwards, g.
  private(set) var repetition: Float = 0
  private(set) var skewness: Float = 0
  private(set) var kurtosis: Float = 0
  private(set) var verticalLevel: Float = 0

  public subscript(feature: ActivityFeature) -> Float {
    features[ActivityFeature.allCases.firstIndex(of: feature)!]
  }

  /// - Parameter cells: 128 of them.
  init(_ cells: [ActivityCell], start: Double, isFirst: Bool) {
    self.start = start
    end = start + Double(WindowSpectrum.size) * ActivityCells.period
    self.isFirst = isFirst
    features = []
    features.reserveCapacity(ActivityFeature.allCases.count)
    cells.withUnsafeBufferPointer { describe($0.baseAddress!) }
  }

  private mutating func describe(_ cells: UnsafePointer<ActivityCell>) {
    let n = WindowSpectrum.size
    var sum = SIMD8<Float>.zero
    for index in 0..<n { sum += cells[index].values }
    let mean = sum / Float(n)
    let moments = WindowMoments(cells, mean: mean)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * (WindowSpectrum.half + 1)) { powers in
      let (vertical, horizontal) = (powers.baseAddress!, powers.baseAddress! + WindowSpectrum.half + 1)
      WindowSpectrum.shared.evaluate(cells, mean: mean, vertical: vertical, horizontal: horizontal)
      appendSpectrum(vertical)
      appendSpectrum(horizontal)
      setLevels(vertical, horizontal)
    }
    let peak = moments.correlation(cells, mean: mean)
    (repetition, skewness, kurtosis) = (peak.highest, moments.skewness, moments.kurtosis)
    features += [peak.highest, peak.lag, peak.lowest, moments.skewness, moments.kurtosis]
    features += [moments.leastNorm, logarithm(moments.normDeviation), moments.normSkewness]
    features += [logarithm(moments.normChange), logarithm(moments.horizontalMean), moments.horizontalVariation]
    features.append(logarithm(moments.tilt))
  }

  private mutating func appendSpectrum(_ power: UnsafePointer<Float>) {
    let total = power.sum(1...WindowSpectrum.half) + 1e-9
    features.append(logarithm(total) / 2)
    for band in Self.bands { features.append(logarithm(power.sum(band)) / 2) }
    var peak = Self.gait.lowerBound
    for bin in Self.gait where power[bin] > power[peak] { peak = bin }
    features.append(Float(Double(peak) * WindowSpectrum.resolution))
    features.append(power.sum((peak - 1)...(peak + 1)) / total)
    var (all, squares): (Float, Float) = (0, 0)
    for bin in Self.spread {
      all += power[bin]
      squares += power[bin] * power[bin]
    }
    features.append(logarithm(all * all / max(squares, 1e-20), least: 1) * 2.302_585)
  }

  private mutating func setLevels(_ vertical: UnsafePointer<Float>, _ horizontal: UnsafePointer<Float>) {
    func both(_ bins: ClosedRange<Int>) -> Float { vertical.sum(bins) + horizontal.sum(bins) }
    level = both(1...WindowSpectrum.half).squareRoot()
    verticalLevel = vertical.sum(1...WindowSpectrum.half).squareRoot()
    // The resolution of a coarse sensor, so that a quiet one has no ratio by chance.
    fast = (both(Self.fast) + 6e-6).squareRoot()
    slow = (both(Self.slow) + 8e-6).squareRoot()
  }

  /// Bins of a band of frequencies in Hz, without its upper end.
  private static func bins(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    let first = Int((low / WindowSpectrum.resolution).rounded(.up))
    return first...(Int((high / WindowSpectrum.resolution).rounded(.up)) - 1)
  }

  private static let bands = [
    bins(0.3, 1.0), bins(1.0, 1.7), bins(1.7, 2.5), bins(2.5, 3.5), bins(3.5, 5.0), bins(5.0, 7.5),
  ]
  private static let gait = bins(0.7, 5.01)
  private static let spread = 1...47
  private static let fast = bins(5, 18)
  private static let slow = bins(0.3, 3.5)
}

/// The logarithm to base ten, of a millionth at the least.
@inline(__always)
func logarithm(_ value: Float, least: Float = 1e-6) -> Float { log10(max(value, least)) }

extension UnsafePointer<Float> {
  fileprivate func sum(_ bins: ClosedRange<Int>) -> Float {
    var sum: Float = 0
    for bin in bins { sum += self[bin] }
    return sum
  }
}
