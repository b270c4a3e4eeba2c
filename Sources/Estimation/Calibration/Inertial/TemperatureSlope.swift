public import InertialNumerics
internal import InertialSensors

/// How the gyroscope's bias goes with temperature, by the rests of a log at different temperatures.
public struct TemperatureSlope: Sendable, Codable, Equatable {
  /// rad/s for each kelvin.
  public let slope: Vector3
  /// Its standard deviation, for each axis.
  public let sigma: Vector3
  /// The lowest and the highest temperature of a rest, °C.
  public let lowest: Double
  /// °C.
  public let highest: Double
  /// Mean temperature of the rests, °C, and the bias at it, rad/s.
  public let reference: Double
  /// rad/s.
  public let bias: Vector3

  /// Whether the slope of an axis is beyond doubt: more than three deviations.
  public var isSure: Bool { (0..<3).contains { abs(slope[$0]) > 3 * sigma[$0] } }

  /// Rests that are nearer than this, K, tell no slope.
  private static let leastSpan = 2.0
  private static let fewest = 4

  /// One that is known: of a document.
  init(slope: Vector3, sigma: Vector3, range: ClosedRange<Double>, reference: Double, bias: Vector3) {
    (self.slope, self.sigma, self.reference, self.bias) = (slope, sigma, reference, bias)
    (lowest, highest) = (range.lowerBound, range.upperBound)
  }

  /// What is done to samples.
  var model: TemperatureModel { TemperatureModel(slope: slope, reference: reference, range: lowest...highest) }

  /// - Parameters:
  ///   - poses: with the gyroscope's means.
  ///   - times: seconds of the temperatures, rising.
  ///   - temperatures: °C.
  /// - Returns: nil where fewer than four rests have a rate and a temperature, or these hardly differ.
  public init?(_ poses: [StillPose], times: [Double], temperatures: [Double]) {
    let series = VectorSeries(times: times, values: temperatures.map { Vector3($0, 0, 0) })
    guard !series.isEmpty else { return nil }
    let rests = poses.compactMap { pose in
      pose.rotationRate.map { ($0, GravityTrack.value(series, at: 0.5 * (pose.start + pose.end)).x) }
    }
    guard rests.count >= Self.fewest, let low = rests.map(\.1).min(), let high = rests.map(\.1).max(),
      high - low >= Self.leastSpan
    else { return nil }
    let mean = rests.reduce(0) { $0 + $1.1 } / Double(rests.count)
    let squares = rests.reduce(0) { $0 + ($1.1 - mean) * ($1.1 - mean) }
    let center = rests.reduce(Vector3.zero) { $0 + $1.0 } / Double(rests.count)
    let slope = rests.reduce(Vector3.zero) { $0 + ($1.1 - mean) * ($1.0 - center) } / squares
    let deviations = (0..<3).map { axis -> Double in
      let left = rests.reduce(0.0) { sum, rest in
        let residual = rest.0[axis] - center[axis] - slope[axis] * (rest.1 - mean)
        return sum + residual * residual
      }
      return (left / Double(rests.count - 2) / squares).squareRoot()
    }
    (self.slope, sigma, lowest, highest) = (slope, Vector3(deviations), low, high)
    (reference, bias) = (mean, center)
  }
}
