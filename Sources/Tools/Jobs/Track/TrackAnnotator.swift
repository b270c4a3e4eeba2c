internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Position and velocity of the device, as `inertial track` estimates them in a stream.
struct TrackAnnotator: MotionAnnotator, Codable {
  static let meaning = "position and velocity, as from 'inertial track'; a stream and --online need --on"
  static let columns: [Column] = [
    ("positionX", "m", "from the start, along the frame's X; with position fixes, north from the first fix"),
    ("positionY", "m", "along the frame's Y; with position fixes, west"),
    ("positionZ", "m", "upwards"),
    ("velocityX", "m/s", "along the frame's X; with position fixes, north"),
    ("velocityY", "m/s", "along the frame's Y; with position fixes, west"),
    ("velocityZ", "m/s", "upwards"),
    ("positionSigmaX", "m", "standard deviation of positionX"),
    ("positionSigmaY", "m", "standard deviation of positionY"),
    ("positionSigmaZ", "m", "standard deviation of positionZ"),
    ("velocitySigmaX", "m/s", "standard deviation of velocityX"),
    ("velocitySigmaY", "m/s", "standard deviation of velocityY"),
    ("velocitySigmaZ", "m/s", "standard deviation of velocityZ"),
    ("stance", "1", "1 while the foot, the person or the vehicle is stationary, otherwise 0"),
    ("step", "1", "steps, or strides of the foot that wears the sensor, since the start"),
    ("trackLatitude", "deg", "latitude of the position, WGS 84; empty without position fixes"),
    ("trackLongitude", "deg", "longitude of the position, WGS 84; empty without position fixes"),
  ]
  static let channels = StepsPass.channels
  static let needsChannels = false

  var usesMotions: Bool { true }

  private struct Walker: Codable {
    var tracker: StepTracker
    var pass: StepsPass
  }

  // Only one of these is set. Separate variables allow mutation in place; enumeration cases would be copied at every
  // sample.
  private var foot: FootTracker?
  private var walker: Walker?
  private var vehicle: VehicleTracker?
  /// The walker's steps since the last motion.
  private var newSteps: [PedometerStep] = []
  /// Applies position fixes to paths other than a vehicle's.
  private var fixed = FixedPath()
  /// The rides among a walker's steps, and the time up to which rides have been detected, in seconds.
  private var rides: [ClosedRange<Double>] = []
  private var ridesKnown = -Double.infinity
  /// The start time of a walker's path, in seconds.
  private var begin: Double?
  /// The summary of the path, without the decisions of the tracker.
  private var report: PathReport
  private let options: TrackOptions
  private var frame: LocalFrame?
  private(set) var values = [Double](repeating: .nan, count: Self.columns.count)

  /// The interval between detections of rides, in seconds; each detection processes the whole history.
  private static let ridesInterval = 10.0
  /// The walking speed assumed before the first step is detected, in m/s.
  private static let walkingSpeed = 1.5

  init() { self.init(TrackOptions()) }

  /// Creates an annotator that tracks causally, from steps if the placement is automatic.
  ///
  /// - Parameters:
  ///   - reason: The reason for the placement in the options.
  ///   - frame: The local frame at the path's start, if known.
  init(_ options: TrackOptions, reason: String = PathReport.specifiedReason, frame: LocalFrame? = nil) {
    self.options = options
    self.frame = frame
    report = PathReport(on: options.carrying, reason: reason)
    switch options.carrying {
    case .foot: foot = FootTracker(options.foot)
    case .vehicle: vehicle = VehicleTracker(options.vehicle)
    case .auto, .hand, .pocket, .body:
      var pedometer = Pedometer.Parameters()
      pedometer.height = options.height
      walker = Walker(tracker: StepTracker(options.walker), pass: StepsPass(pedometer))
    }
  }

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    guard walker != nil else { return }
    for case .step(let step) in walker!.pass.update(sample) { newSteps.append(step) }
  }

  mutating func update(_ motion: DeviceMotion) {
    if let sample = TrackSample(motion) {
      foot?.update(sample)
      vehicle?.update(sample)
      walker?.tracker.update(sample)
    }
    if walker != nil {
      begin = begin ?? motion.time
      for step in newSteps { walker!.tracker.step(at: step.time, duration: step.duration, length: step.length) }
      newSteps.removeAll()
      if motion.time > ridesKnown + Self.ridesInterval { (rides, ridesKnown) = (walker!.pass.rides, motion.time) }
      report.walked = walker!.tracker.way
      if let height = HeightEstimate(walker!.pass.altitude, at: motion.time) { walker!.tracker.update(height) }
    }
    report.logStart = report.logStart ?? motion.time
    note(joined(estimate, at: motion.time))
  }

  /// Returns an estimate corrected by position fixes. A vehicle's path already includes them.
  private mutating func joined(_ own: TrackEstimate?, at time: Double) -> TrackEstimate? {
    if vehicle != nil, let own { return own }
    let joined = fixed.update(own ?? TrackEstimate(unknownAt: time))
    return own == nil && !fixed.isKnown ? nil : joined
  }

  /// The summary of the path with the decisions of the tracker.
  var summary: PathReport {
    var summary = report
    summary.learned = foot?.decisions ?? vehicle?.decisions ?? walker?.tracker.decisions ?? []
    return summary
  }

  private var estimate: TrackEstimate? {
    guard walker != nil else { return foot?.estimate ?? vehicle?.estimate?.northUp }
    guard var estimate = walker!.tracker.estimate else { return nil }
    // Steps are detected late: before the first one, the person may have walked all the time.
    if estimate.stepCount == 0, let begin { estimate.widen(by: Self.walkingSpeed * (estimate.time - begin)) }
    estimate.widen(by: rides)
    return estimate
  }

  mutating func add(_ sample: AuxiliarySample) {
    if sample.channel == .location, let fix = PositionFix(sample, in: &frame) {
      vehicle?.update(fix)
      fixed.update(fix)
      report.hasFixes = true
    }
    _ = walker?.pass.update(sample)
  }

  mutating func restart() {
    let report = report
    self = TrackAnnotator(options, frame: frame)
    self.report = report
  }

  private mutating func note(_ estimate: TrackEstimate?) {
    if let estimate { report.add(estimate, at: frame?.place(of: estimate)) }
    Self.set(&values, to: estimate, frame)
  }

  /// Sets the values of the columns.
  ///
  /// - Parameter frame: The local frame at the path's start, or `nil` if the geographic position is unknown.
  static func set(_ values: inout [Double], to estimate: TrackEstimate?, _ frame: LocalFrame?) {
    guard let estimate else {
      for index in values.indices { values[index] = .nan }
      return
    }
    func set(_ vector: Vector3, at place: Int) {
      (values[place], values[place + 1], values[place + 2]) = (vector.x, vector.y, vector.z)
    }
    set(estimate.position, at: 0)
    set(estimate.velocity, at: 3)
    set(estimate.positionSigma, at: 6)
    set(estimate.velocitySigma, at: 9)
    values[12] = estimate.isStanding ? 1 : 0
    values[13] = Double(estimate.stepCount)
    if let frame { (values[14], values[15]) = frame.place(of: estimate) }
  }
}
