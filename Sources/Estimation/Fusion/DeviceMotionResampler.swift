internal import DequeModule
internal import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// Resamples device motions to a fixed rate, by interpolation between the motions at the gyroscope's times.
///
/// The attitude is interpolated by slerp, vectors linearly, and the heading between the neighbours' headings along the
/// shorter arc. The accuracy and the flags are the earlier neighbour's; the measurements are all since the previous
/// output time. The first output time is the first motion's. Gaps are not interpolated: their output times are omitted
/// and counted, or filled as `filling` specifies. Rates below the sensors' rate alias, as with Core Motion.
package struct DeviceMotionResampler: Sendable, Codable {
  package let interval: Double
  package let maximumGap: Double
  /// The output at times within a gap.
  package enum GapFill: Sendable, Codable {
    /// The times are omitted and counted.
    case none
    /// The attitude of the last motion before the gap, rotated at its rate for up to ten seconds, flagged `gap`. The
    /// other quantities are unknown.
    case hold
    /// `DeviceMotion.unknown`, flagged `gap`.
    case unknown
  }
  package var filling = GapFill.none
  /// The longest gap that is filled, in seconds. Times in longer gaps are omitted.
  package var maximumFilledGap = Double.infinity
  /// The number of output times that were omitted because they fall into gaps.
  package private(set) var skippedCount = 0

  /// The tolerance of the output times, half a nanosecond, in seconds. A multiple of the interval this close to a
  /// timestamp counts as equal to it, despite rounding.
  package static let slack = 5e-10

  /// The maximum time for which a rate is held in a gap, in seconds.
  private static let maximumHeldTime = 10.0

  private var start = 0.0
  private var index = 0
  private var previous: DeviceMotion?
  /// The measurements not yet assigned to an output time, or `nil` if none are reported.
  private var measurements: [MeasurementOutcome]?
  private var ready: Deque<DeviceMotion> = []

  /// - Parameters:
  ///   - rate: The output rate, in Hz, above 0.
  ///   - maximumGap: The longest time between two motions that is interpolated over, in seconds.
  package init(rate: Double, maximumGap: Double = 0.5) {
    precondition(rate > 0 && rate.isFinite, "a rate is a positive number of Hz, not \(rate)")
    interval = 1 / rate
    self.maximumGap = maximumGap
  }

  package mutating func append(_ motion: DeviceMotion) {
    guard motion.time + interval > motion.time, previous == nil || motion.time - start < 0x1p52 * interval
    else {
      // The time is too far from zero or from the start to distinguish adjacent grid times.
      skippedCount += 1
      return
    }
    if let previous {
      if motion.time - previous.time > maximumGap { crossGap(from: previous, to: motion.time) }
    } else {
      start = motion.time
    }
    var newMeasurements = motion.measurements
    while true {
      let time = gridTime(index)
      guard time <= motion.time + Self.slack else { break }
      index += 1
      guard let previous, time < motion.time - Self.slack else {
        var exact = motion
        exact.time = time
        hold(&newMeasurements)
        give(exact)
        continue
      }
      give(interpolated(previous, motion, at: time))
    }
    hold(&newMeasurements)
    previous = motion
  }

  /// Assigns a motion's measurements to the next output time.
  private mutating func hold(_ new: inout [MeasurementOutcome]?) {
    if let reported = new { measurements = (measurements ?? []) + reported }
    new = nil
  }

  private mutating func give(_ motion: DeviceMotion) {
    var motion = motion
    motion.measurements = measurements
    if measurements != nil { measurements = [] }
    ready.append(motion)
  }

  package mutating func next() -> DeviceMotion? { ready.popFirst() }

  private func gridTime(_ index: Int) -> Double { start + Double(index) * interval }

  /// Advances to the first output time at or after a gap's end, in constant time.
  private mutating func skipGap(before end: Double) {
    let steps = ((end - Self.slack - start) / interval).rounded(.up)
    var next = max(Int(steps), index)
    // The division may be off by a rounding.
    while next > index, gridTime(next - 1) >= end - Self.slack { next -= 1 }
    while gridTime(next) < end - Self.slack { next += 1 }
    skippedCount += next - index
    index = next
  }

  private mutating func crossGap(from last: DeviceMotion, to end: Double) {
    guard filling != .none, end - last.time <= maximumFilledGap else {
      skipGap(before: end)
      return
    }
    while gridTime(index) < end - Self.slack {
      let time = gridTime(index)
      var motion = DeviceMotion.unknown(at: time, flags: .gap)
      if filling == .hold { extrapolate(last, to: &motion) }
      motion.measurements = measurements == nil ? nil : []
      ready.append(motion)
      index += 1
    }
  }

  /// Sets the attitude and the rate in a gap. How uncertain they are is unknown, as the device may have moved in any way.
  private func extrapolate(_ last: DeviceMotion, to motion: inout DeviceMotion) {
    let duration = min(motion.time - last.time, Self.maximumHeldTime)
    let turned = last.attitude.quaternion * Quaternion(rotationVector: duration * last.rotationRate)
    motion.attitude = Attitude(quaternion: turned.normalized ?? last.attitude.quaternion)
    motion.gravity = motion.attitude.gravity
    (motion.rotationRate, motion.gyroscopeBias, motion.heading) = (last.rotationRate, last.gyroscopeBias, -1)
  }

  private func interpolated(_ a: DeviceMotion, _ b: DeviceMotion, at time: Double) -> DeviceMotion {
    let t = (time - a.time) / (b.time - a.time)
    func mix(_ u: Vector3, _ v: Vector3) -> Vector3 { u + t * (v - u) }
    func mix(_ u: Vector3?, _ v: Vector3?) -> Vector3? {
      guard let u, let v else { return nil }
      return mix(u, v) as Vector3
    }
    var result = a
    result.time = time
    result.attitude = Attitude(
      quaternion: a.attitude.quaternion.slerp(to: b.attitude.quaternion, fraction: t))
    result.gravity = result.attitude.gravity
    result.userAcceleration = mix(a.userAcceleration, b.userAcceleration)
    result.rotationRate = mix(a.rotationRate, b.rotationRate)
    result.magneticField = mix(a.magneticField, b.magneticField)
    result.attitudeSigma = mix(a.attitudeSigma, b.attitudeSigma)
    result.gyroscopeBias = mix(a.gyroscopeBias, b.gyroscopeBias)
    if a.heading >= 0, b.heading >= 0 {
      let turn = (b.heading - a.heading + 540).truncatingRemainder(dividingBy: 360) - 180
      let heading = (a.heading + t * turn).truncatingRemainder(dividingBy: 360)
      result.heading = heading < 0 ? heading + 360 : heading
    }
    return result
  }
}
