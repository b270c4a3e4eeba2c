package import InertialSensors

/// The pedometer over a stream, with what else the stream tells: air pressure for floors, speed for rides.
package struct StepsPass: Sendable {
  /// What is taken beside the motion, where the stream has it.
  package static let channels: Set<AuxiliaryChannel> = [.barometer, .location]

  private var pass: ActivityPass
  private var floors: WalkedFloors
  /// Of the first and the last moment with an acceleration, seconds.
  package private(set) var firstTime: Double?
  package private(set) var lastTime: Double?

  /// - Parameters:
  ///   - hasBarometer: whether one is known to be there before it has told anything: no floors are told then.
  ///   - isLive: whether what is told stays, so that no step may be found in a ride; otherwise `rides` are left out of the
  ///     steps when all is known.
  ///   - keepsAltitudes: whether `altitudes` will be smoothed.
  package init(
    _ parameters: Pedometer.Parameters = Pedometer.Parameters(), hasBarometer: Bool = false, isLive: Bool = true,
    keepsAltitudes: Bool = false
  ) {
    floors = WalkedFloors(keepsTrace: keepsAltitudes)
    pass = ActivityPass(pedometer: parameters, countsInRides: !isLive)
    if hasBarometer { pass.addFloors(ascended: 0, descended: 0) }
  }

  /// Everything since the start, as far as it is known.
  package var data: PedometerData { pass.pedometer.data }

  /// The stretches in which somebody is carried by wheels, by all that has been seen.
  package var rides: [ClosedRange<Double>] { pass.history.rides }

  /// Altitude and vertical speed at the newest moment; nil without a barometer.
  package var altitude: VerticalFilter.Estimate? { floors.tracker.estimate }
  /// All altitudes, for those who smooth them.
  package var altitudes: AltitudeTracker { floors.tracker }

  /// Changes where `data` tells something new.
  package var revision: Int { pass.pedometer.revision }

  /// What a moment leads to, mostly nothing.
  package mutating func update(_ sample: MotionSample) -> [PedometerOutput] {
    guard sample.acceleration != nil else { return [] }
    firstTime = firstTime ?? sample.time
    lastTime = sample.time
    floors.update(sample)
    return pass.take(sample).steps
  }

  /// Floors that are known to have been walked by a sample of another channel; nil where it says nothing about floors.
  package mutating func update(_ sample: AuxiliarySample) -> [FloorEvent]? {
    pass.add(sample)
    let isFirst = !floors.isKnown
    let ways = floors.update(sample)
    // Where there is a barometer and nothing was climbed, none is what was climbed.
    if isFirst, floors.isKnown { pass.addFloors(ascended: 0, descended: 0) }
    add(ways)
    return floors.isKnown && (isFirst || !ways.isEmpty) ? ways : nil
  }

  /// No more samples: the last outputs, and the floors of the way that was under way.
  package mutating func finish() -> ([PedometerOutput], [FloorEvent]) {
    let ways = floors.finish()
    add(ways)
    return (pass.finish(), ways)
  }

  private mutating func add(_ ways: [FloorEvent]) {
    for way in ways { pass.addFloors(ascended: way.ascended, descended: way.descended) }
  }
}
