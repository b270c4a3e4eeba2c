internal import InertialRecognition
internal import InertialSensors

/// The motion of a whole log, gathered for the recognisers whose results use all of it.
struct LogRecord: MotionAnnotator {
  static let meaning = "the input of the recognisers that use the whole log"
  static let columns: [Column] = []
  static let channels = StepsPass.channels

  /// The recognisers that the record is for.
  let recognitions: Set<Recognition>
  /// The steps and activities, or `nil` if no recogniser needs them.
  private(set) var steps: StepsRecord?
  /// The input of the path, complete after `finish`, or `nil` if no path is requested.
  private(set) var track: TrackRecording?
  private var altitude: AltitudeRecord?
  /// The times of the first motion of the log and after each gap that splits the dataset, in seconds.
  private(set) var starts: [Double] = []
  private var isStarting = true
  let values: [Double] = []
  /// The decisions about the whole log, complete after `known`.
  private(set) var decisions: [AutomaticDecision] = []
  var needsShakes: Bool { steps != nil }
  var usesMotions: Bool { isStarting || track != nil }

  init() { self.init([]) }

  /// Creates a record without any motion.
  ///
  /// - Parameters:
  ///   - recognitions: The recognisers that the record is for.
  ///   - limit: The maximum number of samples for a path.
  ///   - height: The person's height in metres, which determines the step lengths.
  init(_ recognitions: Set<Recognition>, limit: Int = .max, height: Double = 1.7) {
    self.recognitions = recognitions
    if !recognitions.isDisjoint(with: [.activity, .steps, .track]) {
      var pedometer = Pedometer.Parameters()
      pedometer.height = height
      steps = StepsRecord(pedometer, keepsAltitudes: recognitions.contains(.track), detectsShakes: false)
    }
    if recognitions.contains(.track) { track = TrackRecording(limit: limit) }
    if recognitions.contains(.altitude) { altitude = AltitudeRecord() }
  }

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    steps?.update(sample, shake: shake)
    altitude?.update(sample)
  }

  mutating func update(_ motion: DeviceMotion) {
    if isStarting { starts.append(motion.time) }
    isStarting = false
    if let steps { track?.add(motion, altitudes: steps) }
  }

  mutating func add(_ sample: AuxiliarySample) {
    steps?.update(sample)
    altitude?.update(sample)
    track?.add(sample)
  }

  mutating func restart() {
    altitude?.restart()
    isStarting = true
  }

  mutating func finish() {
    steps?.finish()
    if let steps { track?.finish(steps) }
  }

  /// Returns the recognised values, without the path's, after `finish`.
  mutating func known() -> [Recognition: any KnownValues] {
    var known: [Recognition: any KnownValues] = [:]
    if let steps, recognitions.contains(.activity) { known[.activity] = KnownActivities(steps.activities) }
    if let steps, recognitions.contains(.steps) { known[.steps] = KnownSteps(steps) }
    if altitude != nil { known[.altitude] = altitude!.known() }
    decisions = [altitude?.decision, rideDecision].compactMap(\.self)
    return known
  }

  /// The decision that steps in rides do not count, or `nil` without a ride.
  private var rideDecision: AutomaticDecision? {
    guard let rides = steps?.rides, let first = rides.first else { return nil }
    let duration = rides.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let count = rides.count == 1 ? "a ride" : "\(rides.count) rides"
    return AutomaticDecision(
      "rides", "steps in \(count) of \(Int(duration.rounded())) s in total do not count", since: first.lowerBound,
      basis: "the recognised activity", values: ["duration": duration])
  }
}
