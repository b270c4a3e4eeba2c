import Inertial

/// A recording of the list that cross_validate_shakes.py writes.
struct Recording: Decodable {
  struct Stretch: Decodable {
    var start: Double
    var end: Double
    var label: String
  }

  var path: String
  /// Who is in it; nil for a recording in which nobody shakes.
  var person: String?
  var stretches: [Stretch]
  var columns: [String]?
  var timeUnit: LogOptions.TimeUnit?
  var accelerationUnit: LogOptions.AccelerationUnit?
  var accelerationSign: LogOptions.AccelerationSign?
  var rotationUnit: LogOptions.RotationUnit?

  func samples() throws(FusionError) -> [MotionSample] {
    var job = ShakeJob(input: path)
    job.log.columns = columns
    job.log.timeUnit = timeUnit
    job.log.accelerationUnit = accelerationUnit
    job.log.accelerationSign = accelerationSign
    job.log.rotationUnit = rotationUnit
    return try job.samples()
  }
}

/// What was seen in 3 s: the terms at each moment that nothing excludes from being a shake.
struct Window {
  static let length = 3.0

  var label: String
  var person: String?
  var moments: [[Double]] = []
}

/// The reasons of the reference detector over recordings.
struct Windows {
  /// Of each person, each by a detector that has seen nothing before.
  var labelled: [Window] = []
  /// Of each recording in which nobody shakes, by one detector from its start to its end; those with a moment.
  var others: [[Window]] = []
  /// Of `others`, hours each.
  var hours: [Double] = []

  mutating func add(_ recording: Recording) throws(FusionError) {
    let samples = try recording.samples()
    guard let person = recording.person else { return addOther(samples) }
    for stretch in recording.stretches {
      var start = stretch.start
      // Half a microsecond: sums must not lose the last window.
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
      let place = Int((sample.time - first.time) / Window.length)
      windows[place, default: Window(label: "other")].moments.append(terms)
    }
    others.append(windows.sorted { $0.key < $1.key }.map(\.value))
  }
}

/// What the reference detector sees, once for each time that it looks.
private struct Moments {
  private var rule = ReferenceRule(parameters: .init())
  private var last: ShakeReason?

  /// The terms, where the sample made the detector look and nothing excludes a shake.
  mutating func update(_ sample: MotionSample) -> [Double]? {
    _ = rule.update(sample)
    guard let reason = rule.reason, reason != last else { return nil }
    last = reason
    return reason.exclusion == nil ? reason.terms : nil
  }
}
