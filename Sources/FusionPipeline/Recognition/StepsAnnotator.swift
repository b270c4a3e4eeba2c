internal import Activity
internal import Sensors

/// Steps by the pedometer: how many, how far, how quick.
struct StepsAnnotator: MotionAnnotator {
  static let meaning = "steps by the pedometer, as 'inertial steps' counts them; known about two seconds late"
  static let columns = [
    AnnotatedColumn("stepCount", "1", "steps since the start"),
    AnnotatedColumn("stepDistance", "m", "their distance, for a person of 1.70 m"),
    AnnotatedColumn("stepCadence", "1/s", "steps a second; empty where nobody steps"),
    AnnotatedColumn("stepPace", "s/m", "seconds a metre; empty where nobody steps"),
    AnnotatedColumn("stepFloorsAscended", "1", "floors walked up; empty without a barometer"),
    AnnotatedColumn("stepFloorsDescended", "1", "floors walked down; empty without a barometer"),
  ]
  static let channels: Set<AuxiliaryChannel> = [.barometer]
  static let needsChannels = false

  private var pedometer = Pedometer()
  private var revision = 0
  private var floors = WalkedFloors()
  private(set) var values = [0, 0, Double.nan, Double.nan, .nan, .nan]

  mutating func update(_ motion: DeviceMotion) {
    let sample = MotionSample(motion)
    _ = pedometer.update(sample)
    floors.update(sample)
    guard pedometer.revision != revision else { return }
    revision = pedometer.revision
    let data = pedometer.data
    values[0] = Double(data.numberOfSteps)
    values[1] = data.distance
    values[2] = data.currentCadence ?? .nan
    values[3] = data.currentPace ?? .nan
  }

  mutating func add(_ sample: AuxiliarySample) {
    let ways = floors.update(sample)
    guard floors.isKnown else { return }
    values[4] = ways.reduce(values[4].isNaN ? 0 : values[4]) { $0 + Double($1.ascended) }
    values[5] = ways.reduce(values[5].isNaN ? 0 : values[5]) { $0 + Double($1.descended) }
  }
}
