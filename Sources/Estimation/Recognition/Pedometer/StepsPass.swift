package import InertialSensors

/// A pedometer over a stream of motion, with the stream's air pressure for floors and its speed for rides.
package struct StepsPass: Sendable, Codable {
  /// The auxiliary channels that are used in addition to the motion, if present.
  package static let channels: Set<AuxiliaryChannel> = [.barometer, .location]

  private var pass: ActivityPass
  private var floors: WalkedFloors
  /// The times of the first and the last sample with an acceleration, in seconds.
  package private(set) var firstTime: Double?
  package private(set) var lastTime: Double?

  /// - Parameters:
  ///   - hasBarometer: Whether a barometer is known to exist before its first sample; 0 floors are then reported.
  ///   - isLive: Whether outputs are final, so that no steps may be counted in a ride. Otherwise `rides` are removed
  ///     from the steps at the end.
  ///   - keepsAltitudes: Whether `altitudes` will be smoothed.
  ///   - detectsShakes: Whether shakes are detected here, and not added by the caller with the samples.
  package init(
    _ parameters: Pedometer.Parameters = Pedometer.Parameters(), hasBarometer: Bool = false, isLive: Bool = true,
    keepsAltitudes: Bool = false, detectsShakes: Bool = true
  ) {
    floors = WalkedFloors(keepsTrace: keepsAltitudes)
    pass = ActivityPass(pedometer: parameters, countsInRides: !isLive, detectsShakes: detectsShakes)
    if hasBarometer { pass.addFloors(ascended: 0, descended: 0) }
  }

  /// The totals since the start, as far as steps have been detected.
  package var data: PedometerData { pass.pedometer.data }

  /// The intervals in which the person is carried on wheels, from all samples so far.
  package var rides: [ClosedRange<Double>] { pass.history.rides }

  /// The activities from all samples so far, as in a query of the past.
  package var activities: [MotionActivity] { pass.history.segments() }

  /// The altitude and vertical speed at the newest time, or `nil` without a barometer.
  package var altitude: VerticalFilter.Estimate? { floors.tracker.estimate }
  /// The altitude tracker, which can smooth all altitudes.
  package var altitudes: AltitudeTracker { floors.tracker }

  /// A counter that changes when `data` changes.
  package var revision: Int { pass.pedometer.revision }

  /// Adds a sample and returns the new outputs, usually none.
  ///
  /// - Parameter shake: The event of the reference detector at this sample, if shakes are not detected here.
  package mutating func update(_ sample: MotionSample, shake: GestureEvent? = nil) -> [PedometerOutput] {
    guard sample.acceleration != nil else {
      if let shake { pass.note(shake, at: sample.time) }
      return []
    }
    firstTime = firstTime ?? sample.time
    lastTime = sample.time
    floors.update(sample)
    return pass.take(sample, shake: shake).steps
  }

  /// Adds a sample of another channel and returns the walked floor changes that it completes, or `nil` if it has no
  /// information about floors.
  package mutating func update(_ sample: AuxiliarySample) -> [FloorEvent]? {
    pass.add(sample)
    let isFirst = !floors.isKnown
    let ways = floors.update(sample)
    // With a barometer and no climb, the number of floors is 0 instead of `nil`.
    if isFirst, floors.isKnown { pass.addFloors(ascended: 0, descended: 0) }
    add(ways)
    return floors.isKnown && (isFirst || !ways.isEmpty) ? ways : nil
  }

  /// Ends the input and returns the last outputs and the last walked floor changes.
  package mutating func finish() -> ([PedometerOutput], [FloorEvent]) {
    let ways = floors.finish()
    add(ways)
    return (pass.finish(), ways)
  }

  private mutating func add(_ ways: [FloorEvent]) {
    for way in ways { pass.addFloors(ascended: way.ascended, descended: way.descended) }
  }
}
