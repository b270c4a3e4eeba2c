internal import LinearAlgebra
internal import Sensors

/// Whether the gyroscope tells the same rotation as the direction of gravity: d/dt a = a × ω for a device that turns.
///
/// Over windows of a quarter second the change of the acceleration is compared with what the rate predicts; the slope
/// of the best line through zero is 1 for right units and signs, −1 for a turned sign, 1/57 for degrees per second.
struct GyroscopeConsistency {
  private var windowStart: Double?
  private var lastRateTime: Double?
  private var previousMean: Vector3?
  private var sum = Vector3.zero
  private var count = 0
  private var predicted = Vector3.zero
  private var latest = Vector3.zero
  private var productSum = 0.0
  private var predictedSquares = 0.0
  private var measuredSquares = 0.0

  mutating func add(_ sample: SensorSample) {
    switch sample.channel {
    case .accelerometer:
      sum += sample.vector
      count += 1
      latest = sample.vector
    case .gyroscope:
      if let last = lastRateTime, sample.time - last < 0.1 {
        predicted += (sample.time - last) * latest.cross(sample.vector)
      }
      lastRateTime = sample.time
      windowStart = windowStart ?? sample.time
      if sample.time - windowStart! >= 0.25 { closeWindow(at: sample.time) }
    default: break
    }
  }

  private mutating func closeWindow(at time: Double) {
    defer { (windowStart, sum, count) = (time, .zero, 0) }
    guard count > 0 else { return }
    let mean = sum / Double(count)
    if let previous = previousMean {
      // Means of neighbouring windows are a window apart, so the prediction is half of each window's.
      let change = mean - previous
      let expected = 0.5 * (predicted + lastPredicted)
      // Only turning of some size tells anything.
      if expected.norm > 0.002 {
        productSum += change.dot(expected)
        predictedSquares += expected.squaredNorm
        measuredSquares += change.squaredNorm
      }
    }
    previousMean = mean
    lastPredicted = predicted
    predicted = .zero
  }

  private var lastPredicted = Vector3.zero

  /// Slope and correlation, or nil where the device hardly turned.
  var fit: (slope: Double, correlation: Double)? {
    guard predictedSquares > 0.01, measuredSquares > 0 else { return nil }
    return (
      productSum / predictedSquares, productSum / (predictedSquares * measuredSquares).squareRoot()
    )
  }

  /// What looks wrong, and what may mend it; nil where nothing does, or where the device hardly turned.
  var finding: String? {
    guard let fit, abs(fit.correlation) > 0.6 else { return nil }
    if fit.slope < 0 {
      return
        "The gyroscope turns the other way than gravity does: one sensor's axes are mirrored or its sign is turned."
    }
    if fit.slope < 0.1 {
      return "The gyroscope's rates are about \(rounded(1 / fit.slope)) times too large for how gravity turns: "
        + "degrees per second? Try --rotation-unit deg/s."
    }
    if fit.slope > 10 {
      return "The gyroscope's rates are about \(rounded(fit.slope)) times too small for how gravity turns: "
        + "already in radians? Try --rotation-unit rad/s."
    }
    return nil
  }
}
