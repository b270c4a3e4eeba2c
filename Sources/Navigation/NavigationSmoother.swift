internal import LinearAlgebra

/// What a forward pass leaves for the backward one at an epoch's end.
struct NavigationEpoch: Sendable {
  /// What happened to the errors since the epoch before; nil for the first.
  var transition: NavigationTransition?
  var updates: [ScalarUpdate]
  /// The rows of the covariance after the updates that are asked for: of attitude, velocity and position.
  var rows: [NavigationCovariance.Row]
}

/// What is known of an epoch from the whole recording.
struct SmoothedEpoch: Sendable {
  /// Of the state after the epoch's updates; zero for the biases.
  var correction: NavigationError
  var velocityVariance: Vector3
  var positionVariance: Vector3
}

/// The modified Bryson-Frazier smoother: Bierman, "Fixed interval smoothing with discrete measurements", Int. J. Control 18
/// (1973), section 3. It needs no inverse, and of each covariance only the rows that are asked for.
enum NavigationSmoother {
  static func smooth(_ epochs: [NavigationEpoch]) -> [SmoothedEpoch] {
    var result: [SmoothedEpoch] = []
    result.reserveCapacity(epochs.count)
    // λ and Λ, by the measurements after the epoch.
    var lambda = NavigationError()
    var information = NavigationCovariance(parts: epochs.first?.rows[0].count ?? ErrorPart.common)
    for epoch in epochs.reversed() {
      // x = x̂ − P λ, P_s = P − P Λ P.
      let (attitude, velocity, position) = (epoch.rows[0], epoch.rows[1], epoch.rows[2])
      result.append(
        SmoothedEpoch(
          correction: NavigationError(
            attitude: -attitude.times(lambda), velocity: -velocity.times(lambda), position: -position.times(lambda)),
          velocityVariance: velocity.own(.velocity) - velocity.square(information),
          positionVariance: position.own(.position) - position.square(information)))
      for update in epoch.updates.reversed() {
        let (h, s) = (update.jacobian, update.variance)
        // λ ← λ − h (kᵀ λ + ν/s), k = P h / s.
        lambda.add(h, scaledBy: -(update.gain.dot(lambda) + update.innovation) / s)
        // Λ ← (I − h kᵀ) Λ (I − k hᵀ) + h hᵀ / s.
        let spread = information.times(update.gain)
        information.add(outer: h, scaledBy: 1 / s + update.gain.dot(spread) / (s * s))
        information.subtract(outers: h, spread, scaledBy: 1 / s)
      }
      if let transition = epoch.transition {
        lambda = transition.transposed(lambda)
        information.propagateBack(by: transition)
      }
    }
    return result.reversed()
  }
}

extension NavigationCovariance {
  /// The blocks of one part with all.
  struct Row: Sendable {
    var blocks: (Matrix3, Matrix3, Matrix3, Matrix3, Matrix3, Matrix3)
    var count: Int

    func times(_ h: NavigationError) -> Vector3 {
      blocks.0 * h.attitude + blocks.1 * h.velocity + blocks.2 * h.position + blocks.3 * h.gyroscopeBias
        + blocks.4 * h.accelerometerBias + blocks.5 * h.mounting
    }

    /// The variances of the part that the row is of.
    func own(_ part: ErrorPart) -> Vector3 {
      let block = self[part]
      return Vector3(block.m11, block.m22, block.m33)
    }

    private subscript(part: ErrorPart) -> Matrix3 {
      switch part {
      case .attitude: blocks.0
      case .velocity: blocks.1
      case .position: blocks.2
      case .gyroscopeBias: blocks.3
      case .accelerometerBias: blocks.4
      case .mounting: blocks.5
      }
    }

    /// The diagonal of P Λ P at the row's part.
    func square(_ information: NavigationCovariance) -> Vector3 {
      func along(_ axis: Int) -> Double {
        let h = NavigationError(
          attitude: blocks.0.row(axis), velocity: blocks.1.row(axis), position: blocks.2.row(axis),
          gyroscopeBias: blocks.3.row(axis), accelerometerBias: blocks.4.row(axis),
          mounting: blocks.5.row(axis))
        return h.dot(information.times(h))
      }
      return Vector3(along(0), along(1), along(2))
    }
  }

  func row(_ part: ErrorPart) -> Row {
    Row(
      blocks: (
        self[part, .attitude], self[part, .velocity], self[part, .position], self[part, .gyroscopeBias],
        self[part, .accelerometerBias], count > ErrorPart.common ? self[part, .mounting] : .zero
      ), count: count)
  }

  /// P ← P − s (a bᵀ + b aᵀ).
  mutating func subtract(outers a: NavigationError, _ b: NavigationError, scaledBy s: Double) {
    for i in parts {
      for j in parts where j.rawValue >= i.rawValue {
        self[i, j] = self[i, j] - (Matrix3(outer: a[i], b[j]) + Matrix3(outer: b[i], a[j])) * s
      }
    }
  }
}
