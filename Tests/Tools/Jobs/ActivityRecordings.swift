import Testing

@testable import InertialJobs
@testable import InertialLogs

/// A recording in memory with labelled activities.
struct ActivityRecording {
  var set: String
  var name: String
  var person: String
  var samples: [MotionSample]
  var labels: [LabelledSegment]

  /// Returns every n-th sample, which is the recording at a lower rate.
  func thinned(_ step: Int) -> [MotionSample] { stride(from: 0, to: samples.count, by: step).map { samples[$0] } }
}

extension TestData {
  /// Returns the names in a folder of the recordings, sorted, without hidden files and descriptions.
  static func names(in folder: String, where isWanted: (String) -> Bool = { _ in true }) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
      .filter { !$0.hasPrefix("SOURCE") && !$0.hasPrefix(".") && isWanted($0) }.sorted()
  }

  /// Returns the same files by their paths from the folder of the recordings.
  static func paths(in folder: String, where isWanted: (String) -> Bool = { _ in true }) throws -> [String] {
    try names(in: folder, where: isWanted).map { "\(folder)/\($0)" }
  }

  /// Returns the fields of a CSV file without quotes.
  static func fields(_ path: String, separator: Character = ",") throws -> [[Substring]] {
    try String(contentsOf: url(path), encoding: .utf8).split(whereSeparator: \.isNewline)
      .map { $0.split(separator: separator) }
  }
}

extension LogOptions {
  /// Returns the units and columns of a recording of `steps`, `rides` or `activity/spsw-har`, which its file does not
  /// state.
  static func raw(_ path: String) -> LogOptions {
    var options = LogOptions()
    if path.hasPrefix("steps") { options.timeUnit = .nanoseconds }
    if path.hasPrefix("activity") { options.timeUnit = .milliseconds }
    (options.accelerationUnit, options.accelerationSign) = (.metersPerSecondSquared, .specificForce)
    options.rotationUnit = .radiansPerSecond
    if path.hasPrefix("steps/counted") {
      options.columns = ["time", "accelerationX", "accelerationY", "accelerationZ", "-", "-", "-"]
    } else if path.hasPrefix("steps/footswitch") {
      options.columns = ["time", "-", "accelerationX", "accelerationY", "accelerationZ"]
    }
    return options
  }
}

/// A session of labelled device motion at 25 Hz.
struct ShakeSession {
  /// The labelled motion, with the recording's numbers.
  enum Label: Int, CaseIterable {
    case stationary, steering, shake, chop
  }

  var file: String
  var name: String
  var labels: [Label] = []
  var samples: [MotionSample] = []

  /// The longest ranges of samples with one label.
  var runs: [(label: Label, range: Range<Int>)] {
    var runs: [(Label, Range<Int>)] = []
    while let start = runs.isEmpty ? 0 : runs.last?.1.upperBound, start < labels.count {
      let end = labels[start...].firstIndex { $0 != labels[start] } ?? labels.count
      runs.append((labels[start], start..<end))
    }
    return runs
  }

  static func all() throws -> [ShakeSession] {
    var sessions: [ShakeSession] = []
    for file in try TestData.names(in: "shake", where: { $0.hasPrefix("u_") }) {
      for row in try TestData.fields("shake/" + file) {
        let name = file + " " + row[0]
        if sessions.last?.name != name { sessions.append(ShakeSession(file: file, name: name)) }
        let numbers = row.dropFirst().map { Double($0)! }
        let (gravity, user) = (Vector3(numbers, at: 7), Vector3(numbers, at: 10))
        let index = sessions.count - 1
        sessions[index].samples.append(
          MotionSample(
            time: Double(sessions[index].labels.count) / 25, acceleration: gravity + user, userAcceleration: user,
            rotationRate: Vector3(numbers, at: 4)))
        sessions[index].labels.append(try #require(Label(rawValue: Int(numbers[0]))))
      }
    }
    return sessions
  }
}

enum ActivityRecordings {
  private static func samples(_ path: String, _ options: LogOptions = LogOptions()) throws -> [MotionSample] {
    try with(ActivityJob(input: TestData.url(path).path)) { $0.log = options }.samples()
  }

  private static func phyphoxTime(of name: String) throws -> PhyphoxTime {
    let marks = TestData.url("activity/phyphox/\(name)/meta/time.csv")
    return PhyphoxTime(text: try String(contentsOf: marks, encoding: .utf8))
  }

  /// Returns the labels of a phyphox recording. The data set's labels use the experiment's clock, which stops in
  /// pauses.
  static func phyphoxLabels(of name: String) throws -> [LabelledSegment] {
    let clock = try phyphoxTime(of: name)
    return try TestData.fields("activity/phyphox/labels_derived.csv").dropFirst().filter { $0[0] == name }.map {
      LabelledSegment(
        start: clock.seconds(Double($0[2])!), end: clock.seconds(before: Double($0[3])!), label: String($0[4]))
    }
  }

  static func phyphox() throws -> [ActivityRecording] {
    try TestData.names(in: "activity/phyphox", where: { $0.contains("subj") }).map { name in
      ActivityRecording(
        set: "phyphox", name: name, person: "phyphox-" + String(name.last!),
        samples: try samples("activity/phyphox/" + name),
        labels: try phyphoxLabels(of: name).map { with($0) { $0.label = $0.label.lowercased() } })
    }
  }

  /// Returns the recordings with their pauses cut out, as if the phone had not moved in them.
  static func phyphoxWithoutPauses() throws -> [ActivityRecording] {
    try phyphox().map { recording in
      var recording = recording
      let pauses = try phyphoxTime(of: recording.name).pauses
      func cut(_ time: Double) -> Double {
        var time = time
        for pause in pauses.reversed() {
          let before = pauses.filter { $0.time < pause.time }.reduce(0) { $0 + $1.length }
          if time >= pause.time + before + pause.length { return time - before - pause.length }
          if time > pause.time + before { time = pause.time + before }
        }
        return time
      }
      recording.samples = recording.samples.map { with($0) { $0.time = cut($0.time) } }
      recording.labels = recording.labels.map {
        LabelledSegment(start: cut($0.start), end: cut($0.end), label: $0.label)
      }
      return recording
    }
  }

  /// Returns recordings with one activity each, without the seconds at the start and the end for the pocket.
  static func tyrex() throws -> [ActivityRecording] {
    try TestData.names(in: "tyrex", where: { $0.hasPrefix("person") }).map { name in
      let samples = try samples("tyrex/" + name)
      let margin = name.hasSuffix("Pocket") ? (11.0, 10.0) : (6.0, 6.0)
      let label = name.contains("Running") ? "running" : name.hasSuffix("_AR") ? "augmented reality" : "walking"
      return ActivityRecording(
        set: "tyrex", name: name, person: "tyrex-" + String(name.dropFirst(6).prefix(1)), samples: samples,
        labels: [LabelledSegment(start: samples[0].time + margin.0, end: samples.last!.time - margin.1, label: label)])
    }
  }

  /// Merges equal consecutive labels to segments, each of which ends at the start of the next.
  private static func stretches(_ words: [(Double, String)]) -> [LabelledSegment] {
    var result: [LabelledSegment] = []
    for (time, word) in words {
      if result.last?.label != word {
        if !result.isEmpty { result[result.count - 1].end = time }
        result.append(LabelledSegment(start: time, end: time, label: word))
      }
      result[result.count - 1].end = time
    }
    return result
  }

  static func spsw() throws -> [ActivityRecording] {
    var recordings: [ActivityRecording] = []
    for folder in try TestData.names(in: "activity/spsw-har") where folder.hasPrefix("s") && !folder.contains(".") {
      for file in try TestData.names(in: "activity/spsw-har/" + folder) where file.hasSuffix("_sp.csv") {
        let path = "activity/spsw-har/" + folder + "/" + file
        let samples = try samples(path, .raw(path))
        let words = try TestData.fields(path).dropFirst().map { (Double($0[6])! / 1000, $0[7].lowercased()) }
          .sorted { $0.0 < $1.0 }
        // Samples of a log in UNIX time begin at 0.
        let shift = samples[0].time - (samples[0].time < 1e6 ? words[0].0 : samples[0].time)
        recordings.append(
          ActivityRecording(
            set: "spsw", name: file, person: "spsw-" + folder, samples: samples,
            labels: stretches(words.map { ($0.0 + shift, $0.1) })))
      }
    }
    return recordings
  }

  static func steps() throws -> [ActivityRecording] {
    var recordings: [ActivityRecording] = []
    func add(_ name: String, _ person: String, _ samples: [MotionSample], _ labels: [(Double, Double)]) {
      recordings.append(
        ActivityRecording(
          set: "steps", name: name, person: "steps-" + person, samples: samples,
          labels: labels.map { LabelledSegment(start: $0.0, end: $0.1, label: "walking") }))
    }
    for file in try TestData.names(in: "steps/counted") where file.hasSuffix(".csv") {
      let samples = try samples("steps/counted/" + file, .raw("steps/counted"))
      add(file, String(file.prefix { $0 != "_" }), samples, [(samples[0].time + 3, samples.last!.time - 3)])
    }
    for folder in try TestData.names(in: "steps/footswitch") where !folder.contains(".") {
      let path = "steps/footswitch/" + folder + "/"
      let samples = try samples(path + "accelerometer.csv", .raw(path))
      let first = try TestData.fields(path + "accelerometer.csv").compactMap { Double($0[0]) }.first!
      let feet = try TestData.fields(path + "stepcounter.csv").map { $0.compactMap { Double($0) } }
        .filter { $0.count == 3 }
      let times = zip(feet, feet.dropFirst()).flatMap { before, after in
        [1, 2].filter { before[$0] <= 0.5 && after[$0] > 0.5 }.map { _ in (after[0] - first) / 1e9 + samples[0].time }
      }.sorted()
      var bouts: [(Double, Double)] = []
      for time in times {
        if let last = bouts.last, time - last.1 < 1.3 {
          bouts[bouts.count - 1].1 = time
        } else {
          bouts.append((time, time))
        }
      }
      add(folder, String(folder.split(separator: "_")[1]), samples, bouts)
    }
    return recordings
  }

  static func shake() throws -> [ActivityRecording] {
    try ShakeSession.all().map { session in
      ActivityRecording(
        set: "shake", name: session.name, person: "shake-" + session.file.prefix(4), samples: session.samples,
        labels: stretches(zip(session.samples, session.labels).map { ($0.time, "\($1)") }))
    }
  }
}
