internal import InertialNumerics
internal import InertialRotations

/// A few seconds of a log with motion: the rotation that the gyroscope tells, and the vectors that others measured.
///
/// In the device's frame a vector that stands still in the earth's is v(t) = Rᵀ(t − τ) (m + m′ t) + b, with R the
/// integrated rotation, τ the offset, m the vector, m′ the slow turn that a gyroscope's bias makes of it, and b the
/// sensor's own offset. For one τ it is linear, so that the sum of squares left over is a function of τ alone.
///
/// Of an accelerometer the vector is gravity, and what the user does to the device stands beside it. Both sides are
/// smoothed, as shaking and steps are quicker than the turns of a device in use; b is left out, so that the size of
/// gravity's turn must fit too; and the acceleration of a device that swings on an arm is fitted with it.
struct OffsetStretch: Sendable {
  struct Vector: Sendable {
    var time: Double
    var vector: Vector3
  }

  /// What is held against the rotation.
  enum Kind: Sendable, Hashable {
    case field(SensorChannel)
    case gravity
    /// Smoothed more.
    case smoothGravity
  }

  private let attitudes: RotationTrack
  private let fields: [SensorChannel: FieldFit]
  private let gravity: GravityFit?
  private let smoothGravity: GravityFit?

  /// - Parameters:
  ///   - rates: rad/s, in order of time, without gaps, from before the first vector's time less the largest lag to
  ///     after the last one's.
  ///   - vectors: in order of time.
  init(rates: [Vector], vectors: [SensorChannel: [Vector]], start: Double, end: Double) {
    let attitudes = RotationTrack(rates)
    self.attitudes = attitudes
    var fields: [SensorChannel: FieldFit] = [:]
    for channel in [SensorChannel.magnetometer, .calibratedMagneticField] {
      fields[channel] = vectors[channel].flatMap { FieldFit($0, start: start, end: end) }
    }
    self.fields = fields
    func fit(_ halfWidth: Double) -> GravityFit? {
      vectors[.accelerometer].flatMap { GravityFit($0, attitudes, halfWidth: halfWidth, start: start, end: end) }
    }
    gravity = fit(GravityFit.halfWidth)
    // Of the same stretches, or the two could not be compared.
    smoothGravity = gravity == nil ? nil : fit(GravityFit.wideHalfWidth)
  }

  /// Whether the stretch has what it takes, throughout.
  func has(_ kind: Kind) -> Bool { meanSquare(of: kind) != nil }

  /// Mean square per vector that the model leaves over at an offset, in the channel's unit squared; nil where the
  /// stretch has no samples of the kind.
  func residual(of kind: Kind, offset: Double) -> Double? {
    switch kind {
    case .field(let channel): fields[channel]?.residual(attitudes, offset: offset)
    case .gravity: gravity?.residual(attitudes, offset: offset)
    case .smoothGravity: smoothGravity?.residual(attitudes, offset: offset)
    }
  }

  /// Mean square of the vectors.
  func meanSquare(of kind: Kind) -> Double? {
    switch kind {
    case .field(let channel): fields[channel]?.meanSquare
    case .gravity: gravity?.meanSquare
    case .smoothGravity: smoothGravity?.meanSquare
    }
  }

  /// The means of a stream's vectors in bins of time; nil where the stream is there for a part only.
  static func means(_ samples: [Vector], start: Double, end: Double, width: Double) -> [Vector]? {
    var means: [Vector] = []
    var (bin, count) = (-1, 0)
    var sum = Vector(time: 0, vector: .zero)
    func mean() -> Vector { Vector(time: sum.time / Double(count), vector: sum.vector / Double(count)) }
    for sample in samples {
      let place = Int((sample.time - start) / width)
      if place != bin, count > 0 {
        means.append(mean())
        (sum, count) = (Vector(time: 0, vector: .zero), 0)
      }
      bin = place
      sum.time += sample.time
      sum.vector += sample.vector
      count += 1
    }
    if count > 0 { means.append(mean()) }
    // A stream slower than 5 Hz says little.
    guard Double(means.count) >= 5 * (end - start), means[means.count - 1].time - means[0].time > 0.8 * (end - start)
    else { return nil }
    return means
  }
}

/// Device to the frame that a stretch began in, at any time.
struct RotationTrack: Sendable {
  /// Seconds between attitudes.
  private static let step = 0.01

  private let attitudes: [Quaternion]
  private let start: Double

  init(_ rates: [OffsetStretch.Vector]) {
    start = rates[0].time
    var attitudes = [Quaternion.identity]
    var attitude = Quaternion.identity
    for (last, next) in zip(rates, rates.dropFirst()) {
      // The mean of both ends' rates turns the device from one stamp to the next.
      let rate = 0.5 * (last.vector + next.vector)
      while true {
        let place = start + Double(attitudes.count) * Self.step
        guard place <= next.time else { break }
        attitudes.append(attitude * Quaternion(rotationVector: (place - last.time) * rate))
      }
      attitude = attitude * Quaternion(rotationVector: (next.time - last.time) * rate)
    }
    self.attitudes = attitudes
  }

  @inline(__always)
  func matrix(at time: Double) -> Matrix3 {
    let place = min(max((time - start) / Self.step, 0), Double(attitudes.count - 1))
    let index = min(Int(place), attitudes.count - 2)
    let part = place - Double(index)
    // Neighbours are a small rotation apart and have one sign: the straight line between them is as good as the arc.
    let (a, b) = (attitudes[index], attitudes[index + 1])
    let q = Quaternion(
      x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y), z: a.z + part * (b.z - a.z),
      w: a.w + part * (b.w - a.w))
    return (q.normalized ?? q).matrix
  }
}
