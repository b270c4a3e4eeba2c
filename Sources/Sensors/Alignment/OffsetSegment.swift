internal import InertialNumerics
internal import InertialRotations

/// A segment of a few seconds with motion: the rotation from the gyroscope, and the vectors of other sensors.
///
/// A vector that is constant in the earth's frame is, in the device's frame, v(t) = Rᵀ(t − τ) (m + m′ t) + b, with R
/// the integrated rotation, τ the offset, m the vector, m′ its slow rotation due to a gyroscope's bias, and b the
/// sensor's own offset. For a given τ the model is linear, so the residual sum of squares is a function of τ alone.
///
/// For an accelerometer, the vector is gravity, superimposed by the user's accelerations. Both sides are smoothed, as
/// shaking and steps are faster than the rotations of a device in use; b is left out, so the amplitude of gravity's
/// rotation must fit, too; and the acceleration of a device that swings on an arm is included in the fit.
struct OffsetSegment: Sendable {
  /// A vector and its time, in seconds.
  typealias Vector = (time: Double, vector: Vector3)

  /// A fit of vectors to the rotation: the mean square of the vectors, and the mean square residual per vector at an
  /// offset in seconds, both in the channel's unit squared.
  typealias Fit = (meanSquare: Double, residual: @Sendable (_ offset: Double) -> Double)

  /// The fits of the channels that have samples throughout the segment.
  let fits: [SensorChannel: Fit]
  /// The fit of gravity with wider smoothing, or `nil` without a fit of the accelerometer.
  let smoothGravity: Fit?

  /// - Parameters:
  ///   - rates: The rates in rad/s, sorted by time, without gaps, from the first vector's time minus the largest lag to
  ///     the last vector's time plus the largest lag.
  ///   - vectors: The vectors by channel, sorted by time.
  init(rates: [Vector], vectors: [SensorChannel: [Vector]], start: Double, end: Double) {
    let track = RotationTrack(rates)
    var fits: [SensorChannel: Fit] = [:]
    for channel in [SensorChannel.magnetometer, .calibratedMagneticField] {
      fits[channel] = vectors[channel].flatMap { Self.fieldFit($0, track, start: start, end: end) }
    }
    func gravityFit(_ halfWidth: Double) -> Fit? {
      guard let own = vectors[.accelerometer],
        let fit = GravityFit(own, track, halfWidth: halfWidth, start: start, end: end)
      else { return nil }
      return (fit.meanSquare, { fit.residual(track, offset: $0) })
    }
    fits[.accelerometer] = gravityFit(GravityFit.halfWidth)
    // Computed for the same segments, so that the two results are comparable.
    smoothGravity = fits[.accelerometer] == nil ? nil : gravityFit(GravityFit.wideHalfWidth)
    self.fits = fits
  }

  /// Returns the means of a stream's vectors in time bins, or `nil` if the stream covers only a part.
  static func means(_ samples: [Vector], start: Double, end: Double, width: Double) -> [Vector]? {
    var means: [Vector] = []
    var (bin, count) = (-1, 0)
    var sum: Vector = (0, .zero)
    func mean() -> Vector { (sum.time / Double(count), sum.vector / Double(count)) }
    for sample in samples {
      let position = Int((sample.time - start) / width)
      if position != bin, count > 0 {
        means.append(mean())
        (sum, count) = ((0, .zero), 0)
      }
      bin = position
      sum.time += sample.time
      sum.vector += sample.vector
      count += 1
    }
    if count > 0 { means.append(mean()) }
    // A stream slower than 5 Hz has too little information.
    guard Double(means.count) >= 5 * (end - start), means[means.count - 1].time - means[0].time > 0.8 * (end - start)
    else { return nil }
    return means
  }
}

/// The rotation from the device to the device's frame at the beginning of a segment, at any time.
struct RotationTrack: Sendable {
  /// The interval between attitudes, in seconds.
  private static let step = 0.01

  private let attitudes: [Quaternion]
  private let start: Double

  init(_ rates: [OffsetSegment.Vector]) {
    start = rates[0].time
    var attitudes = [Quaternion.identity]
    var attitude = Quaternion.identity
    for (last, next) in zip(rates, rates.dropFirst()) {
      // The mean of the rates at both ends rotates the device from one timestamp to the next.
      let rate = 0.5 * (last.vector + next.vector)
      while true {
        let position = start + Double(attitudes.count) * Self.step
        guard position <= next.time else { break }
        attitudes.append(attitude * Quaternion(rotationVector: (position - last.time) * rate))
      }
      attitude = attitude * Quaternion(rotationVector: (next.time - last.time) * rate)
    }
    self.attitudes = attitudes
  }

  @inline(__always)
  func matrix(at time: Double) -> Matrix3 {
    let position = min(max((time - start) / Self.step, 0), Double(attitudes.count - 1))
    let index = min(Int(position), attitudes.count - 2)
    let part = position - Double(index)
    // Neighbours are a small rotation apart and have the same sign: linear interpolation is as good as the arc.
    let (a, b) = (attitudes[index], attitudes[index + 1])
    let q = Quaternion(
      x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y), z: a.z + part * (b.z - a.z),
      w: a.w + part * (b.w - a.w))
    return (q.normalized ?? q).matrix
  }
}
