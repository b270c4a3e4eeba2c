public import InertialNumerics
internal import InertialSensors

/// The dependence of the gyroscope's bias on temperature, from the rests of a log at different temperatures.
public struct TemperatureSlope: Sendable, Codable, Equatable {
  /// The slope, in rad/s per kelvin.
  public let slope: Vector3
  /// The standard deviation of the slope, for each axis.
  public let sigma: Vector3
  /// The lowest temperature of a rest, in °C.
  public let lowest: Double
  /// The highest temperature of a rest, in °C.
  public let highest: Double
  /// The mean temperature of the rests, in °C.
  public let reference: Double
  /// The bias at the reference temperature, in rad/s.
  public let bias: Vector3

  /// Whether the slope of an axis is significant: more than three deviations.
  public var isSure: Bool { (0..<3).contains { abs(slope[$0]) > 3 * sigma[$0] } }

  /// The minimum temperature range of the rests for a slope, in K.
  private static let minimumSpan = 2.0
  private static let minimumCount = 4

  /// Creates a known slope, such as from a document.
  init(slope: Vector3, sigma: Vector3, range: ClosedRange<Double>, reference: Double, bias: Vector3) {
    (self.slope, self.sigma, self.reference, self.bias) = (slope, sigma, reference, bias)
    (lowest, highest) = (range.lowerBound, range.upperBound)
  }

  /// The model that is applied to samples.
  var model: TemperatureModel { TemperatureModel(slope: slope, reference: reference, range: lowest...highest) }

  /// Fits the slope of values over temperature.
  ///
  /// - Parameters:
  ///   - poses: The poses, with the gyroscope's means.
  ///   - times: The times of the temperatures, in seconds, ascending.
  ///   - temperatures: The temperatures, in °C.
  /// - Returns: `nil` if fewer than four rests have a rate and a temperature, or the temperatures hardly differ.
  public init?(_ poses: [StillPose], times: [Double], temperatures: [Double]) {
    precondition(times.count == temperatures.count, "\(temperatures.count) temperatures for \(times.count) times")
    let series = SensorColumn(times: times, values: temperatures.map { Vector3($0, 0, 0) })
    guard !series.isEmpty else { return nil }
    let rests = poses.compactMap { pose in
      pose.rotationRate.map { ($0, GravityTrack.value(series, at: 0.5 * (pose.start + pose.end)).x) }
    }
    guard rests.count >= Self.minimumCount, let low = rests.map(\.1).min(), let high = rests.map(\.1).max(),
      high - low >= Self.minimumSpan
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
