internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

extension MotionPriorKalman: DecisionReporting {
  /// The multiple of its standard deviation above which an estimated error of a sensor is stated.
  private static let significance = 3.0

  package var decisions: [AutomaticDecision] {
    [
      clippingDecision, delayDecision, scaleDecision, accelerometerDecision,
      state.relearningTime.map {
        AutomaticDecision(
          "heading", "learned again from the field", since: $0,
          basis: "a steady field with the earth's strength and dip contradicted it")
      },
      state.recoveryTime.map {
        AutomaticDecision(
          "vertical", "set again to the mean force", since: $0, basis: "the velocity diverged, so the tilt was wrong")
      },
    ].compactMap(\.self)
  }

  /// The range of the gyroscope, if a rate has reached it.
  private var clippingDecision: AutomaticDecision? {
    guard let since = state.firstClipping, state.clipping.range < .infinity else { return nil }
    let range = state.clipping.range
    return AutomaticDecision(
      "gyroscope range", String(cFormat: "rates of %.0f °/s and more are uncertain", range * 180 / .pi), since: since,
      basis: parameters.gyroscopeRange > 0 ? "declared" : "an axis rose steeply and then kept this rate",
      values: ["range": range])
  }

  /// The delay of the magnetometer, if it is significant.
  private var delayDecision: AutomaticDecision? {
    guard state.field.isKnown else { return nil }
    let (delay, index) = (state.fieldDelay, MotionErrors.fieldDelay.start)
    let sigma = state.kalman[index, index].standardDeviation
    guard abs(delay) > Self.significance * sigma else { return nil }
    return AutomaticDecision(
      "magnetometer delay", String(cFormat: "%.0f ± %.0f ms compensated", delay * 1000, sigma * 1000),
      basis: "the field during rotations", values: ["delay": delay, "sigma": sigma])
  }

  /// The largest element of the gyroscope's scale and misalignment, if it is significant.
  private var scaleDecision: AutomaticDecision? {
    let block = MotionErrors.scale
    var largest: (value: Double, sigma: Double)?
    for column in 0..<3 {
      for row in 0..<3 {
        let index = block.start + 3 * column + row
        let (value, sigma) = (state.gyroscopeScale[row, column], state.kalman[index, index].standardDeviation)
        guard abs(value) > Self.significance * sigma, abs(value) > abs(largest?.value ?? 0) else { continue }
        largest = (value, sigma)
      }
    }
    return largest.map {
      AutomaticDecision(
        "gyroscope scale",
        String(
          cFormat: "scale and misalignment of up to %.2f ± %.2f %% compensated", 100 * abs($0.value), 100 * $0.sigma),
        basis: "gravity and the field after rotations", values: ["largest": $0.value, "sigma": $0.sigma])
    }
  }

  /// The bias of the accelerometer, if a component is significant.
  private var accelerometerDecision: AutomaticDecision? {
    let bias = state.accelerometerBias
    let covariance =
      state.kalman[MotionErrors.accelerometerBias, MotionErrors.accelerometerBias] + state.hiddenForceBias
    let sigma = Vector3(
      covariance[0, 0].standardDeviation, covariance[1, 1].standardDeviation, covariance[2, 2].standardDeviation)
    guard (0..<3).contains(where: { abs(bias[$0]) > Self.significance * sigma[$0] }) else { return nil }
    // A bias of the specific force has the opposite sign in Core Motion's acceleration.
    let (mg, spread) = (-1000 / standardGravity * bias, 1000 / standardGravity * sigma.maximumMagnitude)
    return AutomaticDecision(
      "accelerometer bias",
      String(cFormat: "(%.1f, %.1f, %.1f) ± %.1f mg compensated in the attitude", mg.x, mg.y, mg.z, spread),
      basis: "a mean acceleration of zero in the device's attitudes",
      values: ["x": mg.x / 1000, "y": mg.y / 1000, "z": mg.z / 1000, "sigma": spread / 1000])
  }
}

extension MotionPriorSmoother: DecisionReporting {
  package var decisions: [AutomaticDecision] { filter.decisions }
}
