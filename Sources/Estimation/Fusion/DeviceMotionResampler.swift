internal import DequeModule
internal import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// Device motions at a rate of one's own, interpolated between those of the gyroscope's times.
///
/// Attitude by slerp, vectors linearly, heading from the attitude's own neighbours the short way round; accuracy and
/// flags are the earlier neighbour's, and measurements are all those since the time before. The first time is that of the first motion. Across a gap nothing is made up:
/// those times are left out and counted, or filled as `filling` asks. Lower rates than the sensors' alias, as with Core Motion itself.
package struct DeviceMotionResampler: Sendable {
  package let interval: Double
  package let longestGap: Double
  /// What comes out at the times within a gap.
  package enum Filling: Sendable {
    /// Nothing: those times are left out and counted.
    case none
    /// The motion from before the gap, flagged `gap`.
    case hold
    /// `DeviceMotion.unknown`, flagged `gap`.
    case unknown
  }
  package var filling = Filling.none
  /// Longest gap that is filled, seconds; times in longer ones are left out.
  package var longestFilled = Double.infinity
  /// Output times that fell into gaps and were left out.
  package private(set) var skippedCount = 0

  /// Seconds, half a nanosecond: k times the interval must not miss a stamp by rounding, so a time this close is the
  /// stamp's.
  package static let slack = 5e-10

  private var start = 0.0
  private var index = 0
  private var previous: DeviceMotion?
  /// Measurements that no output time has had yet; nil where none are told.
  private var measurements: [MeasurementOutcome]?
  private var ready: Deque<DeviceMotion> = []

  /// - Parameters:
  ///   - rate: Hz, above 0.
  ///   - longestGap: longest time between two motions that is interpolated over, seconds.
  package init(rate: Double, longestGap: Double = 0.5) {
    precondition(rate > 0 && rate.isFinite, "a rate is a positive number of Hz, not \(rate)")
    interval = 1 / rate
    self.longestGap = longestGap
  }

  package mutating func append(_ motion: DeviceMotion) {
    guard motion.time + interval > motion.time, previous == nil || motion.time - start < 0x1p52 * interval
    else {
      // So far away from zero or from the start that times on the grid cannot be told apart.
      skippedCount += 1
      return
    }
    if let previous {
      if motion.time - previous.time > longestGap { crossGap(from: previous, to: motion.time) }
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

  /// Takes what a motion tells to the output time that comes next.
  private mutating func hold(_ new: inout [MeasurementOutcome]?) {
    if let told = new { measurements = (measurements ?? []) + told }
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

  /// Goes on to the first output time at or after a gap's end, at once however long the gap.
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
    guard filling != .none, end - last.time <= longestFilled else {
      skipGap(before: end)
      return
    }
    while gridTime(index) < end - Self.slack {
      let time = gridTime(index)
      var motion = filling == .hold ? last : DeviceMotion.unknown(at: time, flags: .gap)
      motion.time = time
      motion.flags.insert(.gap)
      motion.measurements = measurements == nil ? nil : []
      ready.append(motion)
      index += 1
    }
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
