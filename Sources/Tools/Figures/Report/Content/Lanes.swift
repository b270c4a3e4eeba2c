internal import InertialJobs
internal import InertialSensors

/// Marks on the time axis: the filter's flags, recognised events, and the log's own events.
enum Lanes {
  typealias Lane = RecordingContent.Lane

  private static let flagLabels: [String: String] = [
    "converging": "start-up", "resting": "rest", "magneticDisturbance": "magnetic disturbance",
    "gyroscopeRejected": "gyroscope rejected", "accelerometerRejected": "accelerometer rejected",
    "magneticFieldRejected": "field rejected", "gap": "gap", "jumped": "attitude jumped",
  ]

  static func lanes(_ intake: RowCollector, _ details: FusionJob.Details) -> [Lane] {
    var lanes: [Lane] = []
    for kind in RecognisedEvent.Kind.allCases {
      let events = details.events.filter { $0.kind == kind }
      guard !events.isEmpty else { continue }
      let isMoment = kind == .step
      lanes.append(
        Lane(
          name: names[kind]!, kind: kind == .activity ? "activity" : isMoment ? "moment" : "span",
          times: events.flatMap { isMoment ? [rounded($0.start)] : [rounded($0.start), rounded($0.end)] },
          texts: isMoment ? [] : events.map(\.text), isMarked: kind == .shake || kind == .fall))
    }
    for flag in intake.flags where !flag.spans.spans.isEmpty && flag.flag != .gap {
      lanes.append(
        Lane(
          name: flagLabels[flag.name] ?? flag.name, kind: "span",
          times: flag.spans.spans.flatMap { [rounded($0.start), rounded($0.end)] },
          isMarked: flag.flag == .magneticDisturbance))
    }
    if !intake.table.pauses.isEmpty {
      lanes.append(
        Lane(name: "gap", kind: "span", times: intake.table.pauses.flatMap { [rounded($0.start), rounded($0.end)] }))
    }
    // Scans of many stations occur by the thousand and contain no information about motion.
    for channel in AuxiliaryChannel.allCases where channel.isEvent {
      let own = details.logEvents.filter { $0.channel == channel }
      guard !own.isEmpty, own.count <= maximumEventCount else { continue }
      lanes.append(
        Lane(
          name: PlotPlan.title(channel.name).lowercased(), kind: "moment", times: own.map { rounded($0.time) },
          texts: own.map { sample in sample.texts.filter { !$0.isEmpty }.joined(separator: ", ") }))
    }
    return lanes
  }

  private static let maximumEventCount = 2000
  private static let names: [RecognisedEvent.Kind: String] = [
    .activity: "activity", .shake: "shake", .step: "steps", .floors: "floors", .fall: "fall",
    .posture: "posture",
  ]

  /// Returns a time rounded to a millisecond, which is finer than a mark.
  static func rounded(_ time: Double) -> Double { (time * 1000).rounded() / 1000 }
}
