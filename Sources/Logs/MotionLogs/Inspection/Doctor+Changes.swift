internal import InertialSensors

extension Doctor {
  /// A unit, a sign, axes or a sensor that changes in the middle of the log.
  func changeFindings() -> [String] {
    let changes = inspection.sketch.changes
    var found: [String] = []
    if let change = changes.acceleration.change {
      found.append(
        "From \(rounded(change.time)) s on the acceleration is \(rounded(change.ratio)) times as large while gravity stays: its "
          + "unit or range changes there; part the log there and read each part with its own unit.")
    } else if let turn = changes.rests.gravity, summary.quality[.gyroscope]?.heldRuns.isEmpty == true {
      found.append(
        text(
          turn, "gravity", "the acceleration and the gyroscope contradict one another",
          "of one of the two a sign, axes or the unit changes there, or the gyroscope missed a turn"))
    }
    if let change = changes.field.change {
      if let factor = [0.001, 0.01, 0.1, 10, 100, 1000].first(where: { (0.8...1.25).contains(change.ratio / $0) }) {
        found.append(
          "From \(rounded(change.time)) s on the magnetic field is about \(rounded(factor)) times as strong: its unit changes "
            + "there; part the log there and read each part with its own unit.")
      }
    } else if found.isEmpty, !isFieldContradicted, let turn = changes.rests.field {
      found.append(
        text(
          turn, "the field", "the magnetic field and the gyroscope contradict one another",
          "its sign or axes change there"))
    }
    if found.isEmpty, let change = TurnChange(inspection.sketch) { found.append(text(change)) }
    return found
  }

  /// Whether the field's axes are others than the gyroscope's throughout, which its turns show as well.
  private var isFieldContradicted: Bool {
    if case .contradicts? = field { true } else { false }
  }

  private func text(_ turn: ChangeFinder.RestTurns.Turn, _ direction: String, _ fact: String, _ cause: String) -> String
  {
    func degrees(_ angle: Double) -> String { "\(Int(exactly: (angle * 180 / .pi).rounded()) ?? 0)°" }
    return "From \(rounded(turn.end)) s on \(fact): since \(rounded(turn.start)) s \(direction) has turned by "
      + "\(degrees(turn.inDevice)) in the device, of which the gyroscope's rates leave \(degrees(turn.unexplained)) unexplained: "
      + "\(cause); part the log there."
  }

  private func text(_ change: TurnChange) -> String {
    func name(_ reading: TurnChange.Reading) -> String {
      switch reading {
      case .axes(let axes): axes == .identity ? "as they are" : "with --axes gyroscope=\(axes.text)"
      case .scale(let scale): "times \(rounded(scale))"
      }
    }
    return
      "From about \(rounded(change.time)) s on the gyroscope's rates are read otherwise than before: gravity turns by the "
      + "rates \(name(change.before)) before and \(name(change.after)) after; part the log there."
  }
}
