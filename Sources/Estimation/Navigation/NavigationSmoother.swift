internal import InertialNumerics

/// The data of a forward pass at an epoch's end that the backward pass uses.
struct NavigationEpoch: Sendable {
  /// The error transition since the previous epoch, or `nil` for the first epoch.
  var transition: NavigationTransition?
  var updates: [ScalarUpdate]
  /// The required rows of the covariance after the updates: attitude, velocity and position.
  var rows: [NavigationCovariance.Row]
}

/// The smoothed estimate of an epoch.
struct SmoothedEpoch: Sendable {
  /// The correction of the state after the epoch's updates; zero for the biases.
  var correction: NavigationError
  var velocityVariance: Vector3
  var positionVariance: Vector3
}

/// The modified Bryson-Frazier smoother: Bierman, "Fixed interval smoothing with discrete measurements", Int. J.
/// Control 18 (1973), section 3. It needs no matrix inverse, and only the required rows of each covariance.
enum NavigationSmoother {
  static func smooth(_ epochs: [NavigationEpoch]) -> [SmoothedEpoch] {
    var result: [SmoothedEpoch] = []
    result.reserveCapacity(epochs.count)
    // λ and Λ, from the measurements after the epoch.
    var lambda = NavigationError()
    var information = NavigationCovariance(parts: epochs.first?.rows[0].count ?? ErrorPart.common)
    for index in epochs.indices.reversed() {
      // x = x̂ − P λ, P_s = P − P Λ P.
      func correction(_ part: ErrorPart) -> Vector3 { -epochs[index].rows[part.rawValue].times(lambda) }
      func variance(_ part: ErrorPart) -> Vector3 {
        epochs[index].rows[part.rawValue].own(part) - epochs[index].rows[part.rawValue].square(information)
      }
      result.append(
        SmoothedEpoch(
          correction: NavigationError(
            attitude: correction(.attitude), velocity: correction(.velocity), position: correction(.position)),
          velocityVariance: variance(.velocity), positionVariance: variance(.position)))
      for number in epochs[index].updates.indices.reversed() {
        correct(&lambda, &information, epochs[index].updates[number])
      }
      if let transition = epochs[index].transition {
        lambda = transition.transposed(lambda)
        information.propagateBack(by: transition)
      }
    }
    return result.reversed()
  }

  private static func correct(
    _ lambda: inout NavigationError, _ information: inout NavigationCovariance, _ update: borrowing ScalarUpdate
  ) {
    let (h, s) = (update.jacobian, update.variance)
    // λ ← λ − h (kᵀ λ + ν/s), k = P h / s.
    lambda.add(h, scaledBy: -(update.gain.dot(lambda) + update.innovation) / s)
    // Λ ← (I − h kᵀ) Λ (I − k hᵀ) + h hᵀ / s.
    let spread = information.times(update.gain)
    information.add(outer: h, scaledBy: 1 / s + update.gain.dot(spread) / (s * s))
    information.subtract(outers: h, spread, scaledBy: 1 / s)
  }
}

extension NavigationCovariance {
  /// The blocks of one part with all parts.
  struct Row: Sendable {
    fileprivate var blocks = InlineArray<6, Matrix3>(repeating: .zero)
    fileprivate(set) var count: Int

    func times(_ h: NavigationError) -> Vector3 {
      var product = Vector3.zero
      for part in 0..<count { product += blocks[part] * h[part] }
      return product
    }

    /// Returns the variances of the row's part.
    func own(_ part: ErrorPart) -> Vector3 { blocks[part.rawValue].diagonal }

    /// Returns the diagonal of P Λ P at the row's part.
    func square(_ information: NavigationCovariance) -> Vector3 {
      var sum = Vector3.zero
      for i in 0..<count {
        for j in i..<count {
          let (own, other, block) = (blocks[i], blocks[j], information[i, j])
          let product = Vector3(
            own.row(0).dot(block * other.row(0)), own.row(1).dot(block * other.row(1)),
            own.row(2).dot(block * other.row(2)))
          sum += product * (i == j ? 1 : 2)
        }
      }
      return sum
    }
  }

  func row(_ part: ErrorPart) -> Row {
    var row = Row(count: count)
    for other in parts { row.blocks[other.rawValue] = self[part, other] }
    return row
  }
}
