internal import InertialRecognition
internal import InertialSensors

/// The number, distance, cadence and pace of steps by the pedometer.
struct StepsAnnotator: MotionAnnotator, Codable {
  static let meaning = "steps, as from 'inertial steps'; two seconds late in a stream"
  static let columns: [Column] = [
    ("stepCount", "1", "steps since the start"),
    ("stepDistance", "m", "distance of the steps, for the stated body height, else 1.70 m"),
    ("stepDistanceSigma", "m", "standard deviation of stepDistance"),
    ("stepCadence", "1/s", "steps per second; empty while there are no steps"),
    ("stepPace", "s/m", "seconds per metre; empty while there are no steps"),
    ("stepFloorsAscended", "1", "floors walked up; empty without a barometer"),
    ("stepFloorsDescended", "1", "floors walked down; empty without a barometer"),
  ]
  static let channels = StepsPass.channels
  static let needsChannels = false

  private var pass = StepsPass(detectsShakes: false)
  private var revision = 0
  private(set) var values = Self.initial
  var events: [RecognisedEvent]?
  var needsShakes: Bool { true }

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    deliver(pass.update(sample, shake: shake))
    guard pass.revision != revision else { return }
    revision = pass.revision
    Self.set(&values, to: pass.data)
  }

  mutating func add(_ sample: AuxiliarySample) {
    if pass.update(sample) != nil { Self.set(&values, to: pass.data) }
  }

  mutating func finish() { deliver(pass.finish().0) }

  private mutating func deliver(_ outputs: [PedometerOutput]) {
    guard events != nil else { return }
    for case .step(let step) in outputs { events!.append(RecognisedEvent(step)) }
  }

  /// The values before the first step.
  static let initial = [0, 0, PedometerData(start: 0, end: 0).distanceSigma, .nan, .nan, .nan, .nan]

  /// Sets the values of the columns, in place: an array per row would take longer than the rest.
  static func set(_ values: inout [Double], to data: PedometerData) {
    values[0] = Double(data.numberOfSteps)
    values[1] = data.distance
    values[2] = data.distanceSigma
    values[3] = data.currentCadence ?? .nan
    values[4] = data.currentPace ?? .nan
    values[5] = data.floorsAscended.map(Double.init) ?? .nan
    values[6] = data.floorsDescended.map(Double.init) ?? .nan
  }
}

/// The steps of a whole log at increasing times.
struct KnownSteps: KnownValues {
  private var record: StepsRecord
  private(set) var values = StepsAnnotator.initial
  private(set) var change = -Double.infinity

  init(_ record: StepsRecord) { self.record = record }

  var events: [RecognisedEvent] { record.history.steps.map(RecognisedEvent.init) }

  mutating func advance(to time: Double) {
    guard time >= change else { return }
    // A step's time has a resolution of 20 ms, so the first one may be earlier than the first sample.
    if change == -.infinity { _ = record.data(at: time - 0.01) }
    // The last one may be later than the last sample.
    let end = record.times?.upperBound ?? .infinity
    let time = time >= end ? max(time, record.history.steps.last?.time ?? time) : time
    StepsAnnotator.set(&values, to: record.data(at: time))
    change = record.nextChange(after: time)
    if time < end { change = min(change, end) }
  }

  mutating func restart() {
    record.restart()
    change = -.infinity
  }
}

extension RecognisedEvent {
  fileprivate init(_ step: PedometerStep) {
    self.init(kind: .step, start: step.time, end: step.time, text: "step")
  }
}
