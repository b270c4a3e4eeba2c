internal import InertialRecognition
internal import InertialSensors

/// Steps by the pedometer: how many, how far, how quick.
struct StepsAnnotator: MotionAnnotator {
  static let meaning = "steps, live two seconds late; with --smooth by the whole log, as 'inertial steps' counts them"
  static let columns = [
    AnnotatedColumn("stepCount", "1", "steps since the start"),
    AnnotatedColumn("stepDistance", "m", "their distance, for a person of 1.70 m"),
    AnnotatedColumn("stepCadence", "1/s", "steps a second; empty where nobody steps"),
    AnnotatedColumn("stepPace", "s/m", "seconds a metre; empty where nobody steps"),
    AnnotatedColumn("stepFloorsAscended", "1", "floors walked up; empty without a barometer"),
    AnnotatedColumn("stepFloorsDescended", "1", "floors walked down; empty without a barometer"),
  ]
  static let channels = StepsPass.channels
  static let needsChannels = false

  // One of these, each changed where it stands.
  private var pass: StepsPass? = StepsPass()
  private var record: StepsRecord?
  private var recalled: RecalledSteps?
  private var found: [PedometerStep] = []
  private var revision = 0
  private(set) var values = [0, 0, Double.nan, Double.nan, .nan, .nan]
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion) {
    record?.update(MotionSample(motion))
    if recalled != nil { note(recalled!.data(at: motion.time)) }
    guard pass != nil else { return }
    tell(pass!.update(MotionSample(motion)))
    guard pass!.revision != revision else { return }
    revision = pass!.revision
    note(pass!.data)
  }

  mutating func add(_ sample: AuxiliarySample) {
    record?.update(sample)
    if pass?.update(sample) != nil { note(pass!.data) }
  }

  mutating func finish() {
    if let outputs = pass?.finish().0 { tell(outputs) }
    tell(found.map(PedometerOutput.step))
    found = []
  }

  /// What is known of the whole log, and what gathers it, go on behind a gap; only the counts begin anew.
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
    let history = record?.finish().history ?? PedometerHistory()
    (annotator.recalled, annotator.found) = (RecalledSteps(history), history.steps)
    return annotator
  }

  private mutating func tell(_ outputs: [PedometerOutput]) {
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
