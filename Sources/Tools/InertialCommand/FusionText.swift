import Inertial
import InertialSystem

extension ChannelAlignment {
  /// The human-readable description.
  var sentence: String {
    guard let offset else { return "\(channel): no time offset detected (\(reason ?? "no reason"))" }
    let size = "\(fixed(abs(offset.seconds) * 1000, 1)) ± \(fixed(offset.uncertainty * 1000, 1)) ms"
    let what =
      offset.isSignificant
      ? "\(size) \(offset.seconds > 0 ? "late" : "early") against the gyroscope"
      : "on the gyroscope's clock (\(fixed(offset.seconds * 1000, 1)) ± \(fixed(offset.uncertainty * 1000, 1)) ms)"
    let done = isApplied == true ? "removed; " : ""
    return
      "\(channel): \(what); \(done)residual \(fixed(offset.residualRatio * 100, 0)) % of the residual at other lags, "
      + "\(offset.stretchCount) motion segments"
  }
}

extension MagneticDeclination {
  /// The human-readable description.
  fileprivate var sentence: String {
    let side = degrees < 0 ? "west" : "east"
    let site = placeOrigin == .log ? "place from the log" : "place from the options"
    let when =
      switch yearOrigin {
      case .given: "date from the options"
      case .log: "date from the log"
      case .newestModel: "epoch of the newest model"
      }
    return "declination \(fixed(abs(degrees), 2))° \(side), \(model) at \(fixed(place.latitude, 4)), "
      + "\(fixed(place.longitude, 4)) (\(site)) in \(fixed(year, 2)) (\(when))"
  }
}

extension ChannelSummary {
  /// The line of the channel in a summary.
  var line: String { "        \(padded(name, 26)) \(right("\(used ?? samples)", 9)) samples at \(fixed(rate, 2)) Hz" }
}

extension FusionJob.Report {
  /// The line about the outputs.
  private var written: String {
    let leftOut = rowsLeftOut > 0 ? ", \(counted(rowsLeftOut, "row")) in gaps omitted" : ""
    let segments = segmentCount.map { ", \(counted($0, "segment"))" } ?? ""
    return
      "wrote   \(outputs.map(\.path).joined(separator: ", ")): \(rowCount) rows of \(columns.count) columns in \(fixed(seconds, 2)) s\(leftOut)\(segments)"
  }

  /// Prints the human-readable summary, on standard error if the dataset is on standard output.
  ///
  /// - Parameter isBrief: Whether only the line about the outputs is printed, as for one log among many.
  func print(isBrief: Bool = false) {
    guard !isBrief else { return printLines([written], besides: job.output) }
    var lines = ["read    \(job.input): \(log.description.summary)"]
    lines += (sensors + auxiliary).map(\.line)
    lines += log.description.notes.map { "        \($0)" }
    for (index, entry) in (alignment ?? []).enumerated() {
      lines.append("\(index == 0 ? "align   " : "        ")\(entry.sentence)")
    }
    lines.append("filter  \(job.options.filter), frame \(job.options.motion.frame.name)")
    if let declination { lines.append("        \(declination.sentence)") }
    for (index, decision) in decisions.enumerated() {
      lines.append("\(index == 0 ? "decided " : "        ")\(decision.sentence)")
    }
    lines.append(written)
    if let eventCount { lines.append("        \(job.eventsOutput): \(counted(eventCount, "event"))") }
    if !recognised.isEmpty {
      let values = recognised.map { value in
        "\(value.column) " + (value.value.map { fixed($0, $0 == $0.rounded() ? 0 : 3) } ?? "-")
          + (value.unit == "1" ? "" : " \(value.unit)")
      }
      lines.append("with    in the last row: \(values.joined(separator: ", "))")
    }
    if !firstRows.isEmpty {
      lines.append("        time s        roll     pitch       yaw (deg)   user acceleration (g)")
      lines += firstRows.map { "        " + row($0) }
    }
    if let last = lastRow {
      let q = last.attitude.quaternion
      let heading = last.heading >= 0 ? ", heading \(fixed(last.heading, 1))°" : ""
      lines.append(
        "final   attitude at \(fixed(last.time, 3)) s: roll \(degrees(last.attitude.roll))°, pitch \(degrees(last.attitude.pitch))°, yaw \(degrees(last.attitude.yaw))°\(heading)"
      )
      lines.append(
        "        quaternion x \(fixed(q.x, 6)), y \(fixed(q.y, 6)), z \(fixed(q.z, 6)), w \(fixed(q.w, 6)) (device to reference)"
      )
    }
    printLines(lines, besides: job.output)
  }
}

private func row(_ motion: DeviceMotion) -> String {
  let attitude = motion.attitude
  let user = motion.userAcceleration.map {
    [$0.x, $0.y, $0.z].map { right(fixed($0, 4), 9) }.joined()
  }
  return padded(fixed(motion.time, 4), 10)
    + [attitude.roll, attitude.pitch, attitude.yaw].map { right(degrees($0), 10) }.joined()
    + "        " + (user ?? "        -")
}

private func degrees(_ radians: Double) -> String { fixed(radians * 180 / .pi, 2) }
