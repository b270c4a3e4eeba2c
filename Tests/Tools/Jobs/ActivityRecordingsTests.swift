import Testing

@testable import InertialJobs

/// Tests the classifier on real recordings: on participants not used for training, and the built-in model on recordings
/// not used for training.
@Suite(.needs(.data), .serialized) struct ActivityRecordingsTests {
  private typealias Report = ActivityEvaluationJob.Report

  /// All training recordings, loaded once for all tests.
  private static let recordings = Result {
    try ActivityRecordings.phyphox() + ActivityRecordings.tyrex() + ActivityRecordings.spsw()
      + ActivityRecordings.steps() + ActivityRecordings.shake()
  }

  private func activities(
    _ samples: [MotionSample], _ model: ActivityModel
  ) -> (updates: [MotionActivity], segments: [MotionActivity]) {
    var pass = ActivityPass(ActivityClassifier(model: model))
    let updates = samples.compactMap { pass.update($0) }
    _ = pass.finish()
    return (updates, pass.history.segments())
  }

  private func judge(
    _ recordings: [ActivityRecording], _ model: ActivityModel, event: String? = nil, thinning: Int = 1,
    _ report: inout Report?
  ) throws {
    let folder = TemporaryFolder()
    let labels = try EventLabels(path: folder.write("start,end,label\n", to: "labels.csv"))
    var job = ActivityEvaluationJob(inputs: [], labels: labels)
    job.event = event
    var counted = report ?? job.emptyReport()
    for recording in recordings {
      let samples = recording.thinned(thinning)
      let (updates, segments) = activities(samples, model)
      job.judge(
        recording.labels, updates: updates, segments: segments, from: samples[0].time, to: samples.last!.time, &counted)
    }
    report = counted
  }

  private func show(_ title: String, _ report: Report) {
    for (name, matrix) in [
      ("live", report.live), ("smoothed", report.smoothed), ("pure windows, live", report.pureLive),
      ("pure windows, smoothed", report.pureSmoothed),
    ] {
      let f1 = matrix.labels.compactMap { label in matrix.f1(label).map { "\(label) \(rounded($0))" } }
      print(
        "\(title), \(name): macro F1 \(rounded(matrix.macroF1 ?? 0)) (\(f1.joined(separator: ", "))) \(matrix.counts)")
    }
  }

  private func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

  @Test("a model classifies windows of data sets that were left out of its training")
  func setsLeftOut() throws {
    let examples = try Self.recordings.get().flatMap { recording in
      ActivityTrainingJob.examples(
        of: recording.samples, labels: recording.labels, person: recording.person, copies: 1, seed: 1)
    }
    // The sets here have hardly any other motion, so the model is not the built-in one.
    let validation = try ActivityTrainer().train(examples, name: "x").validation
    let f1 = validation.confusion().labels.map { validation.confusion().f1($0) ?? 0 }
    print(
      "F1 of \(validation.confusion().labels) in sets left out: \(f1.map(rounded)), \(validation.confusion().counts)")
    #expect(f1[0] > 0.8 && f1[1] > 0.85 && f1[2] > 0.7)
  }

  @Test("the built-in model classifies its own recordings, and rides and a drive not used for training")
  func builtIn() throws {
    let recordings = try Self.recordings.get()
    for set in ["phyphox", "tyrex", "spsw", "steps", "shake"] {
      var report: Report?
      try judge(recordings.filter { $0.set == set }, .builtIn, &report)
      show("built-in, \(set)", try #require(report))
    }
    var fractions: [String: [Double]] = [:]
    let rides = try TestData.paths(in: "evaluation-only/cycling").map { ("cycling", $0) }
    for (kind, path) in rides + [("automotive", "evaluation-only/driving")] {
      let report = try ActivityJob(input: TestData.url(path).path).run()
      let flag: ActivityFlags = kind == "cycling" ? .cycling : .automotive
      let (from, to) = (report.firstTime + 10, report.lastTime)
      let smoothed = report.segments.filter { $0.flags.contains(flag) }.reduce(0) {
        $0 + max(0, min($1.end, to) - max($1.start, from))
      }
      let live = zip(report.updates, report.updates.dropFirst()).filter { $1.flags.contains(flag) }
        .reduce(0) { $0 + max(0, $1.1.end - max($1.0.end, from)) }
      print(
        "\(path): \(kind) \(rounded(smoothed / (to - from))) of the time after 10 s, live \(rounded(live / (to - from)))"
      )
      fractions[kind, default: []].append(smoothed / (to - from))
    }
    for (kind, values) in fractions {
      let mean = values.reduce(0, +) / Double(values.count)
      print("\(kind): \(rounded(mean)) of the time")
      #expect(mean > 0.75)
    }
  }

  @Test("an activity with high confidence is correct in 90 % of the time, and one with medium confidence in 65 %")
  func reliability() throws {
    var seconds: [MotionActivity.Confidence: (all: Double, correct: Double)] = [:]
    for recording in try Self.recordings.get() {
      for segment in activities(recording.samples, .builtIn).segments where !segment.flags.isEmpty {
        for label in recording.labels {
          let overlap = min(label.end, segment.end) - max(label.start, segment.start)
          guard overlap > 0, let kind = ActivityClass(label: label.label) else { continue }
          let isCorrect = kind != .other && segment.flags.contains(ActivityFlags(kind))
          seconds[segment.confidence, default: (0, 0)].all += overlap
          if isCorrect { seconds[segment.confidence]!.correct += overlap }
        }
      }
    }
    // Over all labelled sets, 93.6 and 73.7 % are correct. Here, people often get up and sit down, which resembles steps.
    for (confidence, minimum) in [(MotionActivity.Confidence.high, 0.9), (.medium, 0.65)] {
      let (all, correct) = try #require(seconds[confidence])
      print("\(confidence) confidence: correct in \(rounded(correct / all)) of \(rounded(all)) s")
      #expect(correct >= minimum * all)
    }
  }

  @Test("handheld devices that people look through and turn are not classified as cycling or automotive")
  func handheld() throws {
    var paths = try TestData.paths(in: "tyrex") { $0.hasSuffix("_AR") } + ["sensor-logger/iphone-rotation"]
    paths += try TestData.paths(in: "broad") { $0.hasSuffix(".hdf5") }
    paths += ["rec_2019-06-10_200312a", "rec_2019-06-11_master", "rec_2019-06-21_arkit"].map { "iphone-xs/" + $0 }
    var (driven, ridden, all) = (0.0, 0.0, 0.0)
    for path in paths {
      let report = try ActivityJob(input: TestData.url(path).path).run()
      for segment in report.segments {
        all += segment.end - segment.start
        if segment.flags.contains(.automotive) { driven += segment.end - segment.start }
        if segment.flags.contains(.cycling) { ridden += segment.end - segment.start }
      }
    }
    print("held in a hand: automotive in \(driven) s, cycling in \(ridden) s of \(all) s")
    #expect(all > 3000 && driven + ridden < 0.02 * all)
  }
}
