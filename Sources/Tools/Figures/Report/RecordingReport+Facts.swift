internal import InertialEssentials
internal import InertialFilters
internal import InertialFusion
internal import InertialJobs
internal import InertialLogs
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

// The facts of a recording, and the drawing of its device.

extension RecordingReport {
  /// The formats that phones record; any other format may come from another device.
  private static let phones: Set<String> = [
    "sensor-logger", "sensor-logger-json", "sensor-logger-push", "sensor-logger-wearable", "phyphox-csv", "phyphox",
    "sensorlog",
    "iphone-text", "tyrex",
    "indoor-walk", "gnss-logger", "get-sensor-data", "motionsense", "sensorplay", "device-motion-csv",
    "device-motion-rows",
  ]

  func scene(_ plan: PlotPlan, _ log: LogSummary) -> RecordingContent.Scene? {
    guard let quaternion = plan.places(["quaternionX", "quaternionY", "quaternionZ", "quaternionW"]),
      let gravity = plan.places(["gravityX", "gravityY", "gravityZ"])
    else { return nil }
    let isNorth = options.fusion.motion.frame.isNorthReferenced
    return RecordingContent.Scene(
      device: Self.phones.contains(log.description.format) ? "phone" : "box",
      axes: isNorth ? ["X north", "Y west", "Z up"] : ["X", "Y", "Z up"], hasNorth: isNorth, table: 0,
      quaternion: quaternion, gravity: gravity,
      userAcceleration: plan.places(["userAccelerationX", "userAccelerationY", "userAccelerationZ"]))
  }

  func facts(
    _ fusion: FusionJob.Report, _ details: FusionJob.Details, _ intake: RowCollector,
    _ earthField: (strength: Double, dip: Double)?
  ) -> [RecordingContent.Fact] {
    let log = fusion.log
    var facts: [RecordingContent.Fact] = []
    func add(_ name: String, _ value: String) { facts.append(.init(name: name, value: value)) }
    add("Format", "\(log.description.format): \(log.description.summary)")
    if let first = intake.table.times.first, let last = intake.table.times.last {
      add(
        "Duration",
        Self.duration(last - first) + ", from \(Lanes.rounded(first)) to \(Lanes.rounded(last)) s of the log")
    }
    if let epoch = log.description.epoch, epoch != 0 || (intake.table.times.first ?? 0) > 1e8 {
      let start = Date(timeIntervalSince1970: epoch + (intake.table.times.first ?? 0))
      add("Recorded", start.formatted(.iso8601))
    }
    add(
      "Rows",
      "\(intake.rowCount)"
        + (intake.table.pauses.isEmpty ? "" : ", with \(intake.table.pauses.count) gaps between them"))
    add("Filter", options.filters[0].kind.name + (options.fusion.smooths ? ", offline form" : ""))
    add("Frame", options.fusion.motion.frame.name)
    if let declination = fusion.declination {
      add("Declination", "\((declination.degrees * 100).rounded() / 100)° by \(declination.model)")
    }
    for decision in fusion.decisions {
      add(decision.subject.prefix(1).uppercased() + decision.subject.dropFirst(), decision.detail)
    }
    let rest = details.inspection.rest
    if rest.phases.isEmpty {
      add("Rest", "none of two seconds or more")
    } else {
      let total = rest.phases.reduce(0) { $0 + $1.end - $1.start }
      add("Rest", "\(Self.duration(total)) in \(rest.phases.count) phase\(rest.phases.count == 1 ? "" : "s")")
      if let bias = rest.gyroscopeBias {
        let text = [bias.x, bias.y, bias.z].map { String(cFormat: "%.3f", $0 * 180 / .pi) }.joined(separator: ", ")
        add("Gyroscope bias at rest", "\(text) °/s")
      }
      if let norm = rest.accelerationNorm { add("Acceleration at rest", String(cFormat: "%.4f g", norm)) }
    }
    if let field = details.inspection.consistency.fieldText { add("Magnetic field", field) }
    if let earthField {
      add(
        "Earth's field at the place",
        String(cFormat: "%.1f µT, %.1f° below the horizon", earthField.strength, earthField.dip * 180 / .pi))
    }
    if let overlay = options.overlay {
      add("Dashed lines", "\(overlay.lastPathPart), from its own start")
    }
    for note in log.description.notes { add("Read as", note) }
    return facts
  }

  static func duration(_ seconds: Double) -> String {
    if seconds < 120 { return String(cFormat: "%.1f s", seconds) }
    let whole = Int(seconds.rounded())
    let minutes = String(cFormat: "%d:%02d", whole / 60 % 60, whole % 60)
    return whole < 3600
      ? "\(minutes) min" : "\(whole / 3600):" + String(cFormat: "%02d:%02d h", whole / 60 % 60, whole % 60)
  }
}
