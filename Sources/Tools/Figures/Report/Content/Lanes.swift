internal import InertialJobs
internal import InertialSensors

/// Marks on the axis of time: what the filter was doing, what was recognised, and the log's own events.
enum Lanes {
  typealias Lane = RecordingContent.Lane

  private static let flagWords: [String: String] = [
    "converging": "start-up", "resting": "rest", "magneticDisturbance": "magnetic disturbance",
    "gyroscopeRejected": "gyroscope rejected", "accelerometerRejected": "accelerometer rejected",
    "magneticFieldRejected": "field rejected", "gap": "gap", "jumped": "attitude jumped",
  ]

  static func lanes(_ intake: RowIntake, _ details: FusionJob.Details) -> [Lane] {
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
          name: flagWords[flag.name] ?? flag.name, kind: "span",
          times: flag.spans.spans.flatMap { [rounded($0.start), rounded($0.end)] },
          isMarked: flag.flag == .magneticDisturbance))
    }
    if !intake.pauses.isEmpty {
      lanes.append(
        Lane(name: "gap", kind: "span", times: intake.pauses.flatMap { [rounded($0.start), rounded($0.end)] }))
    }
    // Scans of many stations come by the thousand and say nothing of motion.
    for channel in AuxiliaryChannel.allCases where channel.isEvent {
      let own = details.logEvents.filter { $0.channel == channel }
      guard !own.isEmpty, own.count <= mostEvents else { continue }
      lanes.append(
        Lane(
          name: PlotPlan.title(channel.name).lowercased(), kind: "moment", times: own.map { rounded($0.time) },
          texts: own.map { sample in sample.texts.filter { !$0.isEmpty }.joined(separator: ", ") }))
    }
    return lanes
  }

  private static let mostEvents = 2000
  private static let names: [RecognisedEvent.Kind: String] = [
    .activity: "activity", .shake: "shake", .step: "steps", .floors: "floors", .fall: "fall",
    .posture: "posture",
  ]

  /// To a millisecond, which is less than the eye or a mark needs.
  static func rounded(_ time: Double) -> Double { (time * 1000).rounded() / 1000 }
}
