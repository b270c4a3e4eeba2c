internal import LinearAlgebra
internal import Navigation
internal import Recognition
internal import Sensors
internal import SystemLibrary

/// Position and velocity of the device, as `inertial track` finds them.
///
/// It tracks as it goes; or it keeps what a first pass needs; or it tells, row by row, the path that a first pass has found.
struct TrackAnnotator: MotionAnnotator {
  static let meaning = "position and velocity, as 'inertial track' finds them; a stream needs --on"
  static let columns = [
    AnnotatedColumn(
      "positionX", "m", "from the start, along the frame's X; with --on vehicle from the first fix, north"),
    AnnotatedColumn("positionY", "m", "along the frame's Y; with --on vehicle west"),
    AnnotatedColumn("positionZ", "m", "upwards"),
    AnnotatedColumn("velocityX", "m/s", "along the frame's X; with --on vehicle north"),
    AnnotatedColumn("velocityY", "m/s", "along the frame's Y; with --on vehicle west"),
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

  private enum Way {
    case recording(TrackRecording)
    case known(TrackPath)
    case foot(FootTracker)
    case steps(StepTracker, StepsPass)
    case vehicle(VehicleTracker)
    /// Taken out for as long as it is changed, so that it has one owner.
    case taken
  }

  private var way: Way
  /// What the path has come to.
  private(set) var report: PathReport
  private let options: TrackOptions
  private var frame: LocalFrame?
  private(set) var values = [Double](repeating: .nan, count: Self.columns.count)

  init() { self.init(TrackOptions()) }

  /// Tracks as it goes; where nobody says how the device is carried, by steps.
  ///
  /// - Parameters:
  ///   - decision: what the device is on and why; nil: as the options say.
  ///   - frame: of the path's start, where somebody says where that is.
  init(_ options: TrackOptions, decision: CarryingDecision? = nil, frame: LocalFrame? = nil) {
    self.options = options
    self.frame = frame
    report = PathReport(decision ?? CarryingDecision(carrying: options.carrying, reason: "as --on says"))
    switch options.carrying {
    case .foot: way = .foot(FootTracker())
    case .vehicle: way = .vehicle(VehicleTracker())
    case .auto, .hand, .pocket, .body:
      var parameters = StepTracker.Parameters()
      parameters.height = options.height
      way = .steps(StepTracker(parameters), StepsPass())
    }
  }

  /// Keeps what a first pass needs.
  ///
  /// - Parameter limit: of moments.
  static func recording(limit: Int = .max) -> TrackAnnotator {
    var annotator = TrackAnnotator(TrackPath([], frame: nil), decision: CarryingDecision(carrying: .auto, reason: ""))
    annotator.way = .recording(TrackRecording(limit: limit))
    return annotator
  }

  /// Tells a path that is known.
  init(_ path: TrackPath, decision: CarryingDecision) {
    (way, options, frame) = (.known(path), TrackOptions(), path.frame)
    report = PathReport(decision)
  }

  /// What a first pass has kept; nil where it was none.
  var recorded: TrackRecording? {
    guard case .recording(let recording) = way else { return nil }
    return recording
  }

  mutating func update(_ motion: DeviceMotion) {
    switch way {
    case .recording(var recording):
      way = .taken
      recording.add(motion)
      way = .recording(recording)
    case .known(var path):
      way = .taken
      note(path.estimate(at: motion.time))
      way = .known(path)
    case .foot(var tracker):
      way = .taken
      if let sample = TrackSample(motion) { tracker.update(sample) }
      note(tracker.estimate)
      way = .foot(tracker)
    case .steps(var tracker, var pass):
      way = .taken
      if let sample = TrackSample(motion) { tracker.update(sample) }
      for case .step(let step) in pass.update(MotionSample(motion)) {
        tracker.step(at: step.time, duration: step.duration)
      }
      note(tracker.estimate)
      way = .steps(tracker, pass)
    case .vehicle(var tracker):
      way = .taken
      if let sample = TrackSample(motion) { tracker.update(sample) }
      note(tracker.estimate?.northUp)
      way = .vehicle(tracker)
    case .taken: break
    }
  }

  mutating func add(_ sample: AuxiliarySample) {
    switch way {
    case .recording(var recording):
      way = .taken
      recording.add(sample)
      way = .recording(recording)
    case .vehicle(var tracker):
      way = .taken
      if sample.channel == .location, let fix = PositionFix(sample, in: &frame) { tracker.update(fix) }
      way = .vehicle(tracker)
    case .steps(let tracker, var pass):
      way = .taken
      _ = pass.update(sample)
      way = .steps(tracker, pass)
    case .foot, .known, .taken: break
    }
  }

  /// A path that is known, and the recording of one, go on behind a gap.
  mutating func restart() {
    switch way {
    case .recording, .known, .taken: break
    case .foot, .steps, .vehicle:
      let report = report
      self = TrackAnnotator(options, frame: frame)
      self.report = report
    }
  }

  private mutating func note(_ estimate: TrackEstimate?) {
    guard let estimate else {
      for index in values.indices { values[index] = .nan }
      return
    }
    let place = frame?.place(east: -estimate.position.y, north: estimate.position.x)
    report.add(estimate, at: place)
    let vectors = [estimate.position, estimate.velocity, estimate.positionSigma, estimate.velocitySigma]
    for (place, vector) in vectors.enumerated() {
      for axis in 0..<3 { values[3 * place + axis] = vector[axis] }
    }
    values[12] = estimate.isStanding ? 1 : 0
    values[13] = Double(estimate.stepCount)
    guard let place else { return }
    (values[14], values[15]) = (place.latitude, place.longitude)
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
