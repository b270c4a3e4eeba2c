internal import InertialSensors

/// The samples of other channels on their way from a reader, judged, each before motion of later times.
struct AuxiliaryFeed {
  private let isWanted: Bool
  /// Channels that are read for the calibration alone, and given on to nobody else.
  private let lent: Set<AuxiliaryChannel>
  /// Motion sensors that are wanted as they are, and the channels that repeat them.
  private let repeated: [SensorChannel: AuxiliaryChannel]
  private var sound: SoundSource?
  /// What is to be done about the log's clock; nil where nothing is.
  private var repair: ClockRepair?
  /// Whether a sample that comes too late is a reason to read the log again and to sort it.
  private let canStartOver: Bool
  private var conditioner = AuxiliaryConditioner()
  private var batch: [AuxiliarySample] = []
  /// Motion up to here has been given on.
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

  /// Gives on what came with the motion read last, and lends what only the calibration needs; false where a sample is too
  /// late.
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

  /// To be called before motion samples are given on. With the first of them the place of the sound is known.
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

  /// What was left out, a line for each channel.
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
