import Testing

@testable import InertialJobs

/// Tests falls and postures on real recordings, with the default parameters.
@Suite(.needs(.data), .serialized) struct FallRecordingsTests {
  /// A part of a recording that is evaluated separately, as motions before and after a pause are adjacent.
  private struct Piece {
    var name: String
    var label: String
    var samples: [MotionSample]

    var hours: Double { samples.count < 2 ? 0 : (samples[samples.count - 1].time - samples[0].time) / 3600 }

    /// Returns the part at a lower rate.
    func thinned(to rate: Double?) -> Piece {
      guard let rate, hours > 0 else { return self }
      let step = max(1, Int((Double(samples.count) / (3600 * hours) / rate).rounded()))
      return Piece(name: name, label: label, samples: stride(from: 0, to: samples.count, by: step).map { samples[$0] })
    }

    func falls(sensitivity: Double = 0.5) -> [FallEvent] {
      var detector = FallDetector(parameters: with(FallDetector.Parameters()) { $0.sensitivity = sensitivity })
      return samples.compactMap { detector.update($0) } + [detector.finish()].compactMap { $0 }
    }
  }

  /// The parts of volunteers who fall on purpose. Each part with the label falling contains one fall.
  private static let volunteers = Result { () throws -> [Piece] in
    try ActivityRecordings.phyphox().flatMap { recording in
      recording.labels.map { stretch in
        Piece(
          name: "\(recording.name) at \(stretch.start)", label: stretch.label,
          samples: recording.samples.filter { $0.time >= stretch.start && $0.time < stretch.end })
      }
    }.filter { $0.samples.count > 20 }
  }

  /// The parts of all other recordings, without falls.
  private static let others = Result { () throws -> [Piece] in
    let labelled =
      try ActivityRecordings.tyrex() + ActivityRecordings.spsw() + ActivityRecordings.steps()
      + ActivityRecordings.shake()
    var pieces = labelled.map { Piece(name: $0.name, label: $0.set, samples: $0.samples) }
    func add(_ folder: String, where isLog: (String) -> Bool = { _ in true }) throws {
      let label = String(folder.split(separator: "/").last!)
      for path in try TestData.paths(in: folder, where: isLog) {
        let samples = try ActivityJob(input: TestData.url(path).path).samples()
        pieces.append(Piece(name: path, label: label, samples: samples))
      }
    }
    for folder in ["indoor-walks", "sensor-logger", "evaluation-only/cycling"] { try add(folder) }
    try add("iphone-xs") { !$0.hasSuffix("_test") && !$0.hasPrefix("rec_early") }
    try add("evaluation-only") { $0 == "driving" }
    for kind in ["climb", "descend", "elevator_down", "elevator_up", "stay"] {
      try add("evaluation-only/floors/" + kind)
    }
    return pieces
  }

  private func pieces() throws -> (falls: [Piece], rest: [Piece]) {
    let (volunteers, others) = (try Self.volunteers.get(), try Self.others.get())
    return (volunteers.filter { $0.label == "falling" }, volunteers.filter { $0.label != "falling" } + others)
  }

  @Test("more than eight of ten falls of volunteers are detected, without false alarms")
  func falls() throws {
    let (falls, rest) = try pieces()
    for sensitivity in [0, 0.5, 1] {
      let found = falls.count { $0.falls(sensitivity: sensitivity).count == 1 }
      let alarms = rest.flatMap { piece in piece.falls(sensitivity: sensitivity).map { (piece, $0) } }
      print("falls at sensitivity \(sensitivity): \(found) of \(falls.count), \(alarms.count) false alarms")
      for (piece, event) in alarms { print("  \(piece.label) \(piece.name): \(event.impact) s, \(event.reason)") }
      guard sensitivity == 0.5 else { continue }
      for piece in falls where piece.falls().count != 1 {
        var detector = FallDetector()
        for sample in piece.samples { _ = detector.update(sample) }
        _ = detector.finish()
        print("  missed: \(piece.name): \(String(describing: detector.reason))")
      }
      #expect(falls.count >= 22 && Double(found) >= 0.85 * Double(falls.count) && alarms.isEmpty)
    }
    var hours: [String: Double] = [:]
    for piece in rest { hours[piece.label, default: 0] += piece.hours }
    print("hours without falls: \(hours.values.reduce(0, +)), \(hours.sorted { $0.key < $1.key })")
    #expect(hours.values.reduce(0, +) > 3.4)
  }

  @Test("lower sample rates cause no false alarms", arguments: [50.0, 25, 15])
  func rates(rate: Double) throws {
    let (falls, rest) = try pieces()
    let found = falls.count { $0.thinned(to: rate).falls().count == 1 }
    let alarms = rest.reduce(0) { $0 + $1.thinned(to: rate).falls().count }
    print("falls at \(rate) Hz: \(found) of \(falls.count), \(alarms) false alarms")
    #expect(alarms == 0 && Double(found) >= [50: 0.85, 25: 0.75, 15: 0.45][rate]! * Double(falls.count))
  }

  /// Returns the seconds in each posture, by label.
  private func postures(_ recordings: [ActivityRecording]) -> [String: [Posture: Double]] {
    var seconds: [String: [Posture: Double]] = [:]
    for recording in recordings {
      var estimator = PostureEstimator(placement: .thigh)
      let segments = recording.samples.compactMap { estimator.update($0) } + [estimator.finish()].compactMap { $0 }
      for label in recording.labels {
        for segment in segments {
          let overlap = min(label.end, segment.end) - max(label.start, segment.start)
          if overlap > 0 { seconds[label.label, default: [:]][segment.posture, default: 0] += overlap }
        }
      }
    }
    return seconds
  }

  /// Returns the fraction of a posture in the seconds of a label with a known posture.
  private func fraction(_ seconds: [Posture: Double]?, _ posture: Posture) -> Double {
    let known = (seconds ?? [:]).filter { $0.key != .unknown }.values.reduce(0, +)
    return (seconds?[posture] ?? 0) / max(known, 1e-9)
  }

  private func show(_ set: String, _ seconds: [String: [Posture: Double]]) {
    for (label, reported) in seconds.sorted(by: { $0.key < $1.key }) {
      print(
        "posture, \(set), \(label):", reported.map { "\($0.key) \(Int($0.value)) s" }.sorted().joined(separator: ", "))
    }
  }

  @Test("known postures in the trouser pocket are right for walking, standing, sitting and lying")
  func pocket() throws {
    let spsw = postures(try ActivityRecordings.spsw())
    show("spsw-har", spsw)
    #expect(fraction(spsw["walking"], .standing) > 0.99)
    #expect(fraction(spsw["seated"], .sittingOrLying) > 0.95 && (spsw["seated"]?[.sittingOrLying] ?? 0) > 8)
    // After a pause, the posture is unknown until the next walk. The volunteers did not move the phone, so pauses are
    // cut out.
    let phyphox = postures(try ActivityRecordings.phyphoxWithoutPauses())
    show("phyphox", phyphox)
    for (label, posture) in [
      ("walking", Posture.standing), ("running", .standing), ("standing", .standing), ("sitting", .sittingOrLying),
      ("lying", .sittingOrLying),
    ] {
      #expect(fraction(phyphox[label], posture) > 0.95, "\(label)")
      let (unknown, all): (Double, Double) = (phyphox[label]?[.unknown] ?? 0, phyphox[label]?.values.reduce(0, +) ?? 0)
      #expect(unknown < 0.4 * all, "\(label)")
    }
  }
}
