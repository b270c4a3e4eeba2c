internal import Recognition
internal import Sensors

/// Steps by the pedometer: how many, how far, how quick.
struct StepsAnnotator: MotionAnnotator {
  static let meaning = "steps as they are counted live, two seconds late; 'inertial steps' counts by all of the log"
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

  private var pass = StepsPass()
  private var revision = 0
  private(set) var values = [0, 0, Double.nan, Double.nan, .nan, .nan]
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion) {
    tell(pass.update(MotionSample(motion)))
    guard pass.revision != revision else { return }
    revision = pass.revision
    note(pass.data)
  }

  mutating func add(_ sample: AuxiliarySample) {
    if pass.update(sample) != nil { note(pass.data) }
  }

  mutating func finish() { tell(pass.finish().0) }

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
