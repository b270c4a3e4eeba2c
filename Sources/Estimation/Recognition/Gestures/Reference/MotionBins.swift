internal import InertialNumerics

/// The user acceleration and gravity (g) and the rotation rate (rad/s) at a time, in device axes.
struct MotionPoint: Sendable, Codable {
  var time: Double
  var acceleration: Vector3
  /// Gravity; zero if it is unknown.
  var gravity: Vector3
  /// The rotation rate; zero if it is missing.
  var rotationRate: Vector3
  var hasRotationRate: Bool
}

/// The means of the motion over 40 ms.
struct MotionBin: Sendable {
  /// The end time, in seconds.
  var end: Double
  /// The user acceleration, in g, device axes.
  var acceleration: Vector3
  /// Gravity, in g, device axes; zero if it is unknown.
  var gravity: Vector3
  /// The rotation rate, in rad/s, device axes.
  var rotationRate: Vector3
  /// Whether every sample of the cell had a rotation rate.
  var hasRotationRate: Bool
}

/// Resamples motion at any rate and spacing to cells of equal duration, the first of which starts at the first
/// sample.
///
/// The signal is interpolated linearly between the samples and averaged exactly over each cell. Therefore 25 Hz and
/// 400 Hz give the same cells except for the loss of detail at a low rate, and changes faster than a cell are
/// averaged out.
struct MotionBins: Sendable, Codable {
  static let period = 0.04

  /// The point up to which the sums are complete; undefined before the first sample.
  private var reached = MotionPoint(
    time: 0, acceleration: .zero, gravity: .zero, rotationRate: .zero, hasRotationRate: false)
  private var hasBegun = false
  /// The index of the current cell, counted from `origin`, and the start time of the first and the end time of the
  /// current cell.
  private var index = 0
  private var origin = 0.0
  private var end = 0.0
  private var accelerationSum = Vector3.zero
  private var gravitySum = Vector3.zero
  private var rotationSum = Vector3.zero
  private var hasRotationRate = true

  /// Returns the next cell that ends before a sample. If there is no such cell, adds the sample and returns `nil`.
  /// Call it repeatedly until it returns `nil`. Samples must be in chronological order.
  @inline(__always)
  mutating func nextCell(towards sample: MotionPoint) -> MotionBin? {
    guard hasBegun else {
      (reached, hasBegun) = (sample, true)
      origin = sample.time
      end = origin + Self.period
      return nil
    }
    // A timestamp that is earlier than the cell's end by a rounding error completes it.
    guard end <= sample.time + 1e-9 else {
      integrate(to: sample)
      return nil
    }
    return completedCell(sample)
  }

  private mutating func completedCell(_ sample: MotionPoint) -> MotionBin {
    let from = reached
    let fraction = min(1, (end - from.time) / (sample.time - from.time))
    var boundary = sample
    boundary.time = end
    boundary.acceleration = from.acceleration + fraction * (sample.acceleration - from.acceleration)
    boundary.gravity = from.gravity + fraction * (sample.gravity - from.gravity)
    if from.hasRotationRate, sample.hasRotationRate {
      boundary.rotationRate = from.rotationRate + fraction * (sample.rotationRate - from.rotationRate)
    }
    integrate(to: boundary)
    let cell = MotionBin(
      end: end, acceleration: accelerationSum / Self.period, gravity: gravitySum / Self.period,
      rotationRate: rotationSum / Self.period, hasRotationRate: hasRotationRate)
    (accelerationSum, gravitySum, rotationSum, hasRotationRate) = (.zero, .zero, .zero, true)
    index += 1
    end = origin + Double(index + 1) * Self.period
    return cell
  }

  @inline(__always)
  private mutating func integrate(to next: MotionPoint) {
    let half = (next.time - reached.time) / 2
    accelerationSum += half * (reached.acceleration + next.acceleration)
    gravitySum += half * (reached.gravity + next.gravity)
    rotationSum += half * (reached.rotationRate + next.rotationRate)
    hasRotationRate = hasRotationRate && reached.hasRotationRate && next.hasRotationRate
    reached = next
  }

  mutating func restart() { self = MotionBins() }
}
