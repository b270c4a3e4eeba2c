import Inertial

/// A recording of the list that cross_validate_shakes.py writes.
struct Recording: Decodable {
  struct Stretch: Decodable {
    var start: Double
    var end: Double
    var label: String
  }

  var path: String
  /// The participant, or `nil` for a recording without shakes.
  var person: String?
  var stretches: [Stretch]
  var columns: [String]?
  var timeUnit: LogOptions.TimeUnit?
  /// The names of units, such as "m/s2" and "deg/s".
  var accelerationUnit: String?
  var accelerationSign: LogOptions.AccelerationSign?
  var rotationUnit: String?

  func samples() throws(FusionError) -> [MotionSample] {
    var job = ShakeJob(input: path)
    job.log.columns = columns
    job.log.timeUnit = timeUnit
    job.log.accelerationUnit = accelerationUnit.map(LogOptions.AccelerationUnit.named)
    job.log.accelerationSign = accelerationSign
    job.log.rotationUnit = rotationUnit.map(LogOptions.RotationUnit.named)
    return try job.samples()
  }
}

/// A window of 3 s: the terms of each sample that is not excluded from being a shake.
struct Window {
  static let length = 3.0

  var label: String
  var person: String?
  var moments: [[Double]] = []
}

/// The reasons of the reference detector over recordings.
struct Windows {
  /// The windows of each participant, each evaluated by a new detector.
  var labelled: [Window] = []
  /// The nonempty windows of each recording without shakes, evaluated by one detector per recording.
  var others: [[Window]] = []
  /// The durations of `others`, in hours.
  var hours: [Double] = []

  mutating func add(_ recording: Recording) throws(FusionError) {
    let samples = try recording.samples()
    guard let person = recording.person else { return addOther(samples) }
    for stretch in recording.stretches {
      var start = stretch.start
      // Half a microsecond, so that rounding does not lose the last window.
      while start + Window.length <= stretch.end + 5e-7 {
        var window = Window(label: stretch.label, person: person)
        var moments = Moments()
        for sample in samples where sample.time >= start - 1e-6 && sample.time < start + Window.length - 1e-6 {
          if let terms = moments.update(sample) { window.moments.append(terms) }
        }
        labelled.append(window)
        start += Window.length
      }
    }
  }

  private mutating func addOther(_ samples: [MotionSample]) {
    guard let first = samples.first, let last = samples.last else { return }
    hours.append((last.time - first.time) / 3600)
    var windows: [Int: Window] = [:]
    var moments = Moments()
    for sample in samples {
      guard let terms = moments.update(sample) else { continue }
      let index = Int((sample.time - first.time) / Window.length)
      windows[index, default: Window(label: "other")].moments.append(terms)
    }
    others.append(windows.sorted { $0.key < $1.key }.map(\.value))
  }
}

/// The terms of the reference detector, once per evaluation.
private struct Moments {
  private var rule = ReferenceRule(parameters: .init())
  private var last: ShakeReason?

  /// Returns the terms if the sample triggered an evaluation and a shake is not excluded.
  mutating func update(_ sample: MotionSample) -> [Double]? {
    _ = rule.update(sample)
    guard let reason = rule.reason, reason != last else { return nil }
    last = reason
    return reason.exclusion == nil ? reason.terms : nil
  }
}
