internal import InertialRecognition
internal import InertialSensors

/// The number, distance, cadence and pace of steps by the pedometer.
struct StepsAnnotator: MotionAnnotator {
  static let meaning = "steps, two seconds late; with --smooth from the whole log, as from 'inertial steps'"
  static let columns: [Column] = [
    ("stepCount", "1", "steps since the start"),
    ("stepDistance", "m", "distance of the steps, for a body height of 1.70 m"),
    ("stepCadence", "1/s", "steps per second; empty while there are no steps"),
    ("stepPace", "s/m", "seconds per metre; empty while there are no steps"),
    ("stepFloorsAscended", "1", "floors walked up; empty without a barometer"),
    ("stepFloorsDescended", "1", "floors walked down; empty without a barometer"),
  ]
  static let channels = StepsPass.channels
  static let needsChannels = false

  // Only one of these is set. Separate variables allow mutation in place.
  private var pass: StepsPass? = StepsPass(detectsShakes: false)
  private var record: StepsRecord?
  private var recalled: StepsRecord?
  private var found: [PedometerStep] = []
  private var revision = 0
  private(set) var values = [0, 0, Double.nan, Double.nan, .nan, .nan]
  var events: [RecognisedEvent]?
  var needsShakes: Bool { pass != nil }

  mutating func update(_ motion: DeviceMotion, _ shake: inout GestureEvent?) {
    record?.update(MotionSample(motion))
    if recalled != nil { note(recalled!.data(at: motion.time)) }
    guard pass != nil else { return }
    deliver(pass!.update(MotionSample(motion), shake: shake))
    guard pass!.revision != revision else { return }
    revision = pass!.revision
    note(pass!.data)
  }

  mutating func add(_ sample: AuxiliarySample) {
    record?.update(sample)
    if pass?.update(sample) != nil { note(pass!.data) }
  }

  mutating func finish() {
    if let outputs = pass?.finish().0 { deliver(outputs) }
    deliver(found.map(PedometerOutput.step))
    found = []
  }

  /// Starts over after a gap. Steps from the whole log, and the record of one, are kept; only the counts start at 0.
  mutating func restart() {
    if pass != nil { self = Self() }
    recalled?.restart()
  }

  static func gathering() -> Self? {
    var annotator = Self()
    (annotator.pass, annotator.record) = (nil, StepsRecord())
    return annotator
  }

  mutating func recalling() -> Self {
    var annotator = Self()
    annotator.pass = nil
    var whole = record ?? StepsRecord()
    whole.finish()
    (annotator.recalled, annotator.found) = (whole, whole.history.steps)
    return annotator
  }

  private mutating func deliver(_ outputs: [PedometerOutput]) {
    guard events != nil else { return }
    for case .step(let step) in outputs {
      events!.append(RecognisedEvent(kind: .step, start: step.time, end: step.time, text: "step"))
    }
  }

  private mutating func note(_ data: PedometerData) {
    values[0] = Double(data.numberOfSteps)
    values[1] = data.distance
    values[2] = data.currentCadence ?? .nan
    values[3] = data.currentPace ?? .nan
    values[4] = data.floorsAscended.map(Double.init) ?? .nan
    values[5] = data.floorsDescended.map(Double.init) ?? .nan
  }
}
