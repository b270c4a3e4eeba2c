internal import InertialNumerics

/// A moment's user acceleration and gravity (g) and rotation rate (rad/s), device axes.
struct MotionPoint: Sendable, Codable {
  var time: Double
  var acceleration: Vector3
  /// Zero where it is not known.
  var gravity: Vector3
  /// Zero where there is none.
  var rotationRate: Vector3
  var hasRotationRate: Bool
}

/// A cell of the stream: the means over 40 ms.
struct MotionCell: Sendable {
  /// Seconds.
  var end: Double
  /// g, device axes.
  var acceleration: Vector3
  /// g, device axes; zero where it is not known.
  var gravity: Vector3
  /// rad/s, device axes.
  var rotationRate: Vector3
  /// Whether every sample of the cell had a rotation rate.
  var hasRotationRate: Bool
}

/// Turns samples at any rate and spacing into cells of equal length, the first at the first sample.
///
/// The signal counts as piecewise linear between the samples and is averaged over each cell exactly. So 25 Hz and
/// 400 Hz give the same cells but for what a coarse rate loses, and what is faster than a cell averages out.
struct MotionCells: Sendable, Codable {
  static let period = 0.04

  /// Up to where the sums have come; void before the first sample.
  private var reached = MotionPoint(
    time: 0, acceleration: .zero, gravity: .zero, rotationRate: .zero, hasRotationRate: false)
  private var hasBegun = false
  /// Index of the cell that is filled, counted from `origin`, and where it ends.
  private var index = 0
  private var origin = 0.0
  private var end = 0.0
  private var accelerationSum = Vector3.zero
  private var gravitySum = Vector3.zero
  private var rotationSum = Vector3.zero
  private var hasRotationRate = true

  /// Goes on towards a sample: gives the next cell that it completes, and takes it where there is none any more. To be
  /// called until then. Times rise.
  @inline(__always)
  mutating func nextCell(towards sample: MotionPoint) -> MotionCell? {
    guard hasBegun else {
      (reached, hasBegun) = (sample, true)
      origin = sample.time
      end = origin + Self.period
      return nil
    }
    // A stamp that is a rounding short of the cell's end completes it.
    guard end <= sample.time + 1e-9 else {
      integrate(to: sample)
      return nil
    }
    return completedCell(sample)
  }

  private mutating func completedCell(_ sample: MotionPoint) -> MotionCell {
    let from = reached
    let share = min(1, (end - from.time) / (sample.time - from.time))
    var boundary = sample
    boundary.time = end
    boundary.acceleration = from.acceleration + share * (sample.acceleration - from.acceleration)
    boundary.gravity = from.gravity + share * (sample.gravity - from.gravity)
    if from.hasRotationRate, sample.hasRotationRate {
      boundary.rotationRate = from.rotationRate + share * (sample.rotationRate - from.rotationRate)
    }
    integrate(to: boundary)
    let cell = MotionCell(
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

  mutating func restart() { self = MotionCells() }
}
