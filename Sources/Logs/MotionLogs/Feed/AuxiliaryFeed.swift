internal import InertialSensors

/// The validated auxiliary samples of a reader, each delivered before motion of later times.
struct AuxiliaryFeed {
  private let isWanted: Bool
  /// The channels that are read only for the calibration and not delivered.
  private let lent: Set<AuxiliaryChannel>
  /// The motion sensors that are wanted unchanged, and the auxiliary channels that duplicate them.
  private let repeated: [SensorChannel: AuxiliaryChannel]
  private var sound: SoundSource?
  /// The correction of the log's clock, or `nil` if no correction is needed.
  private var repair: ClockRepair?
  /// Whether a late sample causes the log to be read again and sorted.
  private let canStartOver: Bool
  private var conditioner = AuxiliaryConditioner()
  private var batch: [AuxiliarySample] = []
  /// The time of the last motion sample delivered.
  private var givenOn = -Double.infinity

  init(
    wanted: Set<AuxiliaryChannel>, lent: Set<AuxiliaryChannel>, sound: SoundSource?, canStartOver: Bool,
    repair: ClockRepair? = nil
  ) {
    self.repair = repair
    isWanted = !wanted.isEmpty || !lent.isEmpty
    self.lent = lent
    repeated = wanted.repeatedMotion
    self.sound = sound
    self.canStartOver = canStartOver
  }

  var reports: [AuxiliaryChannel: AuxiliaryReport] { conditioner.reports }

  /// Delivers the samples that were read with the last motion, and passes the samples that only the calibration needs
  /// to `lend`. Returns `false` if a sample is too late.
  mutating func read<Failure: LogFailure>(
    from reader: inout any LogReader, consume: ([AuxiliarySample]) throws(Failure) -> Void,
    lend: ([AuxiliarySample]) -> Void
  ) throws(Failure) -> Bool {
    guard isWanted else { return true }
    batch.removeAll(keepingCapacity: true)
    reader.takeAuxiliary(into: &batch)
    guard !batch.isEmpty else { return true }
    repair?.apply(to: &batch)
    if !lent.isEmpty {
      lend(batch.filter { lent.contains($0.channel) })
      batch.removeAll { lent.contains($0.channel) }
      guard !batch.isEmpty else { return true }
    }
    if canStartOver, batch.contains(where: { $0.time < givenOn }) { return false }
    try giveOn(consume)
    return true
  }

  /// Delivers the samples that belong before a block of motion. The first motion sample determines the sound's start.
  mutating func willGiveOn<Failure: LogFailure>(
    _ block: [SensorSample], consume: ([AuxiliarySample]) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = block.first, let last = block.last else { return }
    if let source = sound {
      sound = nil
      do throws(LogError) {
        batch = try source.levels(logStart: first.time)
      } catch {
        throw Failure(error)
      }
      try giveOn(consume)
    }
    if !repeated.isEmpty {
      batch = block.compactMap { sample in repeated[sample.channel].map { AuxiliarySample(sample, as: $0) } }
      try giveOn(consume)
    }
    givenOn = last.time
  }

  private mutating func giveOn<Failure: LogFailure>(
    _ consume: ([AuxiliarySample]) throws(Failure) -> Void
  ) throws(Failure) {
    var good: [AuxiliarySample] = []
    good.reserveCapacity(batch.count)
    for var sample in batch where conditioner.judge(&sample, earliest: givenOn) { good.append(sample) }
    if !good.isEmpty { try consume(good) }
  }

  /// The skipped samples, one line per channel.
  var warnings: [String] {
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
