internal import InertialSensors

/// The auxiliary samples of a reader, each delivered before motion of later times.
struct AuxiliaryFeed {
  private let isWanted: Bool
  private var sound: SoundSource?
  /// The correction of the log's clock, or `nil` if no correction is needed.
  private var repair: ClockRepair?
  /// Whether a late sample causes the log to be read again and sorted.
  private let canStartOver: Bool
  /// The time of the last motion sample delivered.
  private var deliveredTime = -Double.infinity

  init(isWanted: Bool, sound: SoundSource?, canStartOver: Bool, repair: ClockRepair? = nil) {
    (self.isWanted, self.sound, self.canStartOver, self.repair) = (isWanted, sound, canStartOver, repair)
  }

  /// Delivers the samples that were read with the last motion. Returns `false` if a sample is too late.
  mutating func read<Failure: LogFailure>(
    from reader: inout any LogReader, by conditioner: inout InputConditioner,
    consume: ([AuxiliarySample]) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard isWanted else { return true }
    // The consumer may still have the last batch in another thread.
    var batch: [AuxiliarySample] = []
    reader.takeAuxiliary(into: &batch)
    guard !batch.isEmpty else { return true }
    repair?.apply(to: &batch)
    if canStartOver, conditioner.delivers(anyOf: batch, before: deliveredTime) { return false }
    conditioner.condition(&batch, earliest: deliveredTime)
    if !batch.isEmpty { try consume(batch) }
    return true
  }

  /// Delivers the samples that belong before a block of motion. The first motion sample determines the sound's start.
  mutating func deliver<Failure: LogFailure>(
    before block: [SensorSample], by conditioner: inout InputConditioner,
    consume: ([AuxiliarySample]) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = block.first, let last = block.last else { return }
    if let source = sound {
      sound = nil
      var batch: [AuxiliarySample]
      do throws(LogError) {
        batch = try source.levels(logStart: first.time)
      } catch {
        throw Failure(error)
      }
      conditioner.condition(&batch, earliest: deliveredTime)
      if !batch.isEmpty { try consume(batch) }
    }
    let repetitions = conditioner.repetitions(of: block, earliest: deliveredTime)
    if !repetitions.isEmpty { try consume(repetitions) }
    deliveredTime = last.time
  }

  /// Returns the skipped samples, one line per channel.
  static func warnings(_ reports: [AuxiliaryChannel: AuxiliaryReport]) -> [String] {
    reports.sorted { $0.key < $1.key }.flatMap { channel, report in
      var warnings: [String] = []
      func warn(_ count: Int, _ noun: String, _ what: String) {
        if count > 0 { warnings.append("\(channel.name): \(count) \(noun)\(count == 1 ? "" : "s") \(what)") }
      }
      warn(report.invalid, "sample", "without a time, left out")
      warn(report.impossibleValues, "value", "infinite or impossible, left out")
      warn(report.late, "sample", "more than a second late, left out; save the log to a file and give that")
      return warnings
    }
  }
}
