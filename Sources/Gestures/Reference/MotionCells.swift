internal import LinearAlgebra

/// A cell of the stream: the means of user acceleration and rotation rate over 40 ms.
struct MotionCell: Sendable {
  /// g, device axes.
  var acceleration: Vector3
  /// rad/s, device axes; nil where a sample of the cell had none.
  var rotationRate: Vector3?
}

/// Turns samples at any rate and spacing into cells of equal length, the first at the first sample.
///
/// The signal counts as piecewise linear between the samples and is averaged over each cell exactly. So 25 Hz and
/// 400 Hz give the same cells but for what a coarse rate loses, and what is faster than a cell averages out.
struct MotionCells: Sendable {
  static let period = 0.04

  private struct Point {
    var time: Double
    var acceleration: Vector3
    var rotationRate: Vector3?
  }

  /// Up to where the sum has come, and the sample that it goes on to.
  private var reached: Point?
  private var next: Point?
  /// Index of the cell that is filled, counted from `origin`.
  private var index = 0
  private var origin = 0.0
  private var accelerationSum = Vector3.zero
  private var rotationSum: Vector3? = .zero

  /// Takes a sample; `nextCell` then gives the cells that it completes. Times rise.
  mutating func append(time: Double, acceleration: Vector3, rotationRate: Vector3?) {
    let point = Point(time: time, acceleration: acceleration, rotationRate: rotationRate)
    if reached == nil {
      reached = point
      origin = time
    } else {
      next = point
    }
  }

  /// The next whole cell and its end in seconds; nil where another sample is needed.
  mutating func nextCell() -> (cell: MotionCell, end: Double)? {
    guard let from = reached, let sample = next else { return nil }
    let end = origin + Double(index + 1) * Self.period
    // A stamp that is a rounding short of the cell's end completes it.
    guard end <= sample.time + 1e-9 else {
      integrate(from, to: sample)
      (reached, next) = (sample, nil)
      return nil
    }
    let share = min(1, (end - from.time) / (sample.time - from.time))
    var boundary = sample
    boundary.time = end
    boundary.acceleration = from.acceleration + share * (sample.acceleration - from.acceleration)
    if let first = from.rotationRate, let last = sample.rotationRate {
      boundary.rotationRate = first + share * (last - first)
    }
    integrate(from, to: boundary)
    let cell = MotionCell(
      acceleration: accelerationSum / Self.period, rotationRate: rotationSum.map { $0 / Self.period })
    (accelerationSum, rotationSum) = (.zero, .zero)
    index += 1
    reached = boundary
    return (cell, end)
  }

  private mutating func integrate(_ a: Point, to b: Point) {
    let half = (b.time - a.time) / 2
    accelerationSum += half * (a.acceleration + b.acceleration)
    if let sum = rotationSum, let first = a.rotationRate, let last = b.rotationRate {
      rotationSum = sum + half * (first + last)
    } else {
      rotationSum = nil
    }
  }

  mutating func restart() { self = MotionCells() }
}
