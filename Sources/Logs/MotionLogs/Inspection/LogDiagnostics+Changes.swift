internal import InertialSensors

extension LogDiagnostics {
  /// Returns findings about a unit, a sign, axes or a sensor that changes within the log.
  func changeFindings() -> [String] {
    let changes = inspection.sketch.changes
    var found: [String] = []
    if let change = changes.acceleration.change {
      found.append(
        "From \(rounded(change.time)) s on the acceleration is \(rounded(change.ratio)) times as large while gravity is constant: its "
          + "unit or range changes there; split the log there and read each part with its own unit.")
    } else if let turn = changes.rests.gravity, summary.quality[.gyroscope]?.heldRuns.isEmpty == true {
      found.append(
        text(
          turn, "gravity", "the acceleration and the gyroscope contradict each other",
          "the sign, axes or unit of one of the two changes there, or the gyroscope missed a rotation"))
    }
    if let change = changes.field.change {
      // The earth's field and a hard iron of about the same strength cancel each other in some attitudes.
      let factors = [0.001, 0.01, 100, 1000] + (inspection.sketch.fieldChannel == .magnetometer ? [] : [0.1, 10])
      if let factor = factors.first(where: { (0.8...1.25).contains(change.ratio / $0) }) {
        found.append(
          "From \(rounded(change.time)) s on the magnetic field is about \(rounded(factor)) times as strong: its unit changes "
            + "there; split the log there and read each part with its own unit.")
      }
    } else if found.isEmpty, !isFieldContradicted, let turn = changes.rests.field {
      found.append(
        text(
          turn, "the field", "the magnetic field and the gyroscope contradict each other",
          "its sign or axes change there"))
    }
    if found.isEmpty, let finding = readingChangeFinding() { found.append(finding) }
    return found
  }

  /// Whether the field's axes contradict the gyroscope's throughout the log, which also affects its rotations.
  private var isFieldContradicted: Bool {
    if case .contradicts? = field { true } else { false }
  }

  private func text(_ turn: ChangeFinder.RestTurns.Turn, _ direction: String, _ fact: String, _ cause: String) -> String
  {
    func degrees(_ angle: Double) -> String { "\(Int(exactly: (angle * 180 / .pi).rounded()) ?? 0)°" }
    return "From \(rounded(turn.end)) s on \(fact): since \(rounded(turn.start)) s \(direction) has rotated by "
      + "\(degrees(turn.inDevice)) in the device frame, of which the gyroscope's rates leave \(degrees(turn.unexplained)) unexplained: "
      + "\(cause); split the log there."
  }
}
