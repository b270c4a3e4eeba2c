internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Position and velocity of the device, as `inertial track` finds them.
///
/// It tracks as it goes; or it keeps what a first pass needs; or it tells, row by row, the path that a first pass has found.
struct TrackAnnotator: MotionAnnotator {
  static let meaning = "position and velocity, as 'inertial track' finds them; a stream needs --on"
  static let columns = [
    AnnotatedColumn(
      "positionX", "m", "from the start, along the frame's X; with position fixes from the first of them, north"),
    AnnotatedColumn("positionY", "m", "along the frame's Y; with position fixes west"),
    AnnotatedColumn("positionZ", "m", "upwards"),
    AnnotatedColumn("velocityX", "m/s", "along the frame's X; with position fixes north"),
    AnnotatedColumn("velocityY", "m/s", "along the frame's Y; with position fixes west"),
    AnnotatedColumn("velocityZ", "m/s", "upwards"),
    AnnotatedColumn("positionSigmaX", "m", "standard deviation of positionX"),
    AnnotatedColumn("positionSigmaY", "m", "standard deviation of positionY"),
    AnnotatedColumn("positionSigmaZ", "m", "standard deviation of positionZ"),
    AnnotatedColumn("velocitySigmaX", "m/s", "standard deviation of velocityX"),
    AnnotatedColumn("velocitySigmaY", "m/s", "standard deviation of velocityY"),
    AnnotatedColumn("velocitySigmaZ", "m/s", "standard deviation of velocityZ"),
    AnnotatedColumn("stance", "1", "1 while the foot, the person or the vehicle stands still, else 0"),
    AnnotatedColumn("step", "1", "steps, or strides of the foot that wears the sensor, since the start"),
    AnnotatedColumn("trackLatitude", "deg", "of the position, WGS 84; empty without position fixes"),
    AnnotatedColumn("trackLongitude", "deg", "of the position, WGS 84; empty without position fixes"),
  ]
  static let channels = StepsPass.channels
  static let needsChannels = false

  // One of these, each changed where it stands: as cases of an enumeration they would be moved out and in for every sample.
  private var recording: TrackRecording?
  private var known: TrackPath?
  private var foot: FootTracker?
  private var walker: (tracker: StepTracker, pass: StepsPass)?
  private var vehicle: VehicleTracker?
  /// Corrects the other paths by position fixes.
  private var fixed = FixedPath()
  /// Rides among a walker's steps; and until when they have been looked for, s.
  private var rides: [ClosedRange<Double>] = []
  private var ridesKnown = -Double.infinity
  /// When a walker's path begins, s.
  private var begin: Double?
  /// What the path has come to.
  var report: PathReport
  private let options: TrackOptions
  private var frame: LocalFrame?
  private(set) var values = [Double](repeating: .nan, count: Self.columns.count)

  /// Seconds between looks for rides, each of which takes all that was seen into account.
  private static let ridesInterval = 10.0
  /// How fast somebody may have walked before the first step is told, m/s.
  private static let walkingSpeed = 1.5

  init() { self.init(TrackOptions()) }

  /// Tracks as it goes; where nobody says how the device is carried, by steps.
  ///
  /// - Parameters:
  ///   - decision: what the device is on and why; nil: as the options say.
  ///   - frame: of the path's start, where somebody says where that is.
  init(_ options: TrackOptions, decision: CarryingDecision? = nil, frame: LocalFrame? = nil) {
    self.options = options
    self.frame = frame
    report = PathReport(decision ?? CarryingDecision(told: options.carrying))
    switch options.carrying {
    case .foot: foot = FootTracker()
    case .vehicle: vehicle = VehicleTracker()
    case .auto, .hand, .pocket, .body:
      var parameters = StepTracker.Parameters()
      parameters.height = options.height
      walker = (StepTracker(parameters), StepsPass())
    }
  }

  /// Keeps what a first pass needs.
  ///
  /// - Parameter limit: of moments.
  static func recording(limit: Int = .max) -> TrackAnnotator {
    var annotator = TrackAnnotator(TrackPath([], frame: nil), decision: CarryingDecision(carrying: .auto, reason: ""))
    (annotator.recording, annotator.known) = (TrackRecording(limit: limit), nil)
    return annotator
  }

  /// Tells a path that is known.
  init(_ path: TrackPath, decision: CarryingDecision) {
    (known, options, frame) = (path, TrackOptions(), path.frame)
    report = PathReport(decision)
  }

  /// What a first pass has kept; nil where it was none.
  var recorded: TrackRecording? { recording }

  mutating func update(_ motion: DeviceMotion) {
    guard recording == nil else {
      recording?.add(motion)
      return
    }
    guard known == nil else {
      note(known?.estimate(at: motion.time))
      return
    }
    if let sample = TrackSample(motion) {
      foot?.update(sample)
      vehicle?.update(sample)
      walker?.tracker.update(sample)
    }
    if walker != nil {
      begin = begin ?? motion.time
      for case .step(let step) in walker!.pass.update(MotionSample(motion)) {
        walker!.tracker.step(at: step.time, duration: step.duration)
      }
      if motion.time > ridesKnown + Self.ridesInterval { (rides, ridesKnown) = (walker!.pass.rides, motion.time) }
      report.walked = walker!.tracker.way
      if let height = HeightReading(walker!.pass.altitude, at: motion.time) { walker!.tracker.update(height) }
    }
    note(joined(estimate, at: motion.time))
  }

  /// A vehicle's path has the fixes in it, once it is known.
  private mutating func joined(_ own: TrackEstimate?, at time: Double) -> TrackEstimate? {
    if vehicle != nil, let own { return own }
    let joined = fixed.update(own ?? TrackEstimate(unknownAt: time))
    return own == nil && !fixed.isKnown ? nil : joined
  }

  private var estimate: TrackEstimate? {
    guard walker != nil else { return foot?.estimate ?? vehicle?.estimate?.northUp }
    guard var estimate = walker!.tracker.estimate else { return nil }
    // Steps are told late: before the first, somebody may have walked all the time.
    if estimate.stepCount == 0, let begin { estimate.widen(by: Self.walkingSpeed * (estimate.time - begin)) }
    estimate.widen(by: rides)
    return estimate
  }

  mutating func add(_ sample: AuxiliarySample) {
    recording?.add(sample)
    if recording == nil, known == nil, sample.channel == .location, let fix = PositionFix(sample, in: &frame) {
      vehicle?.update(fix)
      fixed.update(fix)
      report.hasFixes = true
    }
    _ = walker?.pass.update(sample)
  }

  /// A path that is known, and the recording of one, go on behind a gap.
  mutating func restart() {
    guard recording == nil, known == nil else { return }
    let report = report
    self = TrackAnnotator(options, frame: frame)
    self.report = report
  }

  private mutating func note(_ estimate: TrackEstimate?) {
    guard let estimate else {
      for index in values.indices { values[index] = .nan }
      return
    }
    let place = frame?.place(east: -estimate.position.y, north: estimate.position.x)
    report.add(estimate, at: place)
    set(estimate.position, at: 0)
    set(estimate.velocity, at: 3)
    set(estimate.positionSigma, at: 6)
    set(estimate.velocitySigma, at: 9)
    values[12] = estimate.isStanding ? 1 : 0
    values[13] = Double(estimate.stepCount)
    guard let place else { return }
    (values[14], values[15]) = (place.latitude, place.longitude)
  }

  private mutating func set(_ vector: Vector3, at place: Int) {
    (values[place], values[place + 1], values[place + 2]) = (vector.x, vector.y, vector.z)
  }
}

/// A path that is known, told in order of time.
struct TrackPath: Sendable {
  let estimates: [TrackEstimate]
  /// Of its start; nil where nobody knows where on earth that is.
  let frame: LocalFrame?
  private var index = 0

  init(_ estimates: [TrackEstimate], frame: LocalFrame?) { (self.estimates, self.frame) = (estimates, frame) }

  /// nil before the path begins and behind its end.
  mutating func estimate(at time: Double) -> TrackEstimate? {
    guard let first = estimates.first, let last = estimates.last, time >= first.time - 0.05, time <= last.time + 0.2
    else { return nil }
    while index + 1 < estimates.count, estimates[index + 1].time <= time { index += 1 }
    guard index + 1 < estimates.count, time > estimates[index].time else { return estimates[index] }
    return estimates[index].interpolated(to: estimates[index + 1], at: time)
  }
}
