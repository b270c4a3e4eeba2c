public import InertialLogs
public import InertialNumerics
public import InertialSensors

/// A sensor source that plays a recording: in real time, slower or faster, or as fast as the receivers accept it.
///
/// Samples keep their timestamps. The recording's clock starts with the first receiver and runs unless it is paused.
/// `unheard` determines what the clock does after the last receiver has detached; by default it keeps running at a
/// finite speed, as time does while an app has stopped its sensors, and stops when the recording is played as fast as
/// possible. All attached receivers get the same events. At infinite speed the source waits for its receivers, so no
/// sample is lost. A receiver that needs the very first samples has to attach first, or while the recording is paused.
///
/// The recording is played on a dedicated thread, which sleeps until the time of the next sample.
public final class RecordingSource: SensorSource, @unchecked Sendable {
  public let name: String
  public let channels: Set<SensorChannel>
  public let auxiliaryChannels: Set<AuxiliaryChannel>
  public let epoch: Double?
  public let declination: Double?
  public let warnings: [String]
  /// The behaviour of the clock while no receiver is attached.
  public let unheard: IdleClockPolicy
  /// The first and last timestamp on the log's clock, in seconds; 0 for an empty recording.
  public let times: ClosedRange<Double>
  /// The duration without a sample after which the source reports silence, in seconds of real time.
  public let maximumSilence: Double

  /// The UNIX time at which the recording was opened, in seconds.
  package let openedAt = MonotonicClock.unixTime

  private let samples: [SensorSample]
  private let auxiliary: [AuxiliarySample]
  private let rates: [SensorChannel: Double]

  private let monitor = Monitor()
  private var state: State

  /// The behaviour of a recording's clock while no receiver is attached, after the first one has attached.
  public enum IdleClockPolicy: String, Sendable, CaseIterable {
    /// The clock runs at a finite speed and stops at infinite speed, so that every run at infinite speed is identical.
    case automatic
    /// The clock runs, and the samples that it passes are not delivered; at infinite speed it runs in real time.
    case runs
    /// The clock stops, and resumes when the next receiver attaches.
    case stands
  }

  private struct State {
    var speed: Double
    var isPaused: Bool
    /// The recording's position on its clock, in seconds, and the time on the machine's clock at which it was valid.
    var position: Double
    var instant = 0.0
    /// The indices of the next samples.
    var index = 0
    var auxiliaryIndex = 0
    /// The attached receivers, and whether the end has been reported to each.
    var receivers: [(delivery: Delivery, knowsEnd: Bool)] = []
    var isPlaying = false
    /// Whether a receiver has attached since the start, or since a jump without receivers.
    var hasBegun = false
    /// Whether there was a jump that has not been reported to the receivers.
    var hasJumped = false
    /// The machine's time of the last event, for detecting silence; infinite once silence has been reported.
    var lastEvent = 0.0
    var endCount = 0
  }

  /// Creates a source that plays samples in memory.
  ///
  /// - Parameters:
  ///   - samples: Valid samples in chronological order, such as those of `LogFeed`.
  ///   - auxiliary: The samples of other channels, in any order.
  ///   - name: The name of the recording in messages.
  ///   - epoch: The UNIX time of time 0, in seconds, or `nil` if it is unknown.
  ///   - declination: The declination in radians, positive if magnetic north is east of true north, or `nil` if it is
  ///     unknown.
  ///   - warnings: The warnings for users of the recording, one line per warning.
  ///   - speed: The playback speed, above 0: 1 is real time, 2 twice as fast; infinite: as fast as possible.
  ///   - unheard: The behaviour of the clock while no receiver is attached.
  ///   - isPaused: Whether to wait for `resume`.
  ///   - maximumSilence: The time without a sample after which silence is reported, in seconds.
  public init(
    samples: [SensorSample], auxiliary: [AuxiliarySample] = [], name: String = "samples in memory",
    epoch: Double? = nil, declination: Double? = nil, warnings: [String] = [], speed: Double = 1,
    unheard: IdleClockPolicy = .automatic, isPaused: Bool = false, maximumSilence: Double = 2
  ) {
    precondition(speed > 0, "the speed must be above 0, not \(speed)")
    self.samples = samples
    self.auxiliary = auxiliary.inTimeOrder()
    self.name = name
    self.epoch = epoch
    self.declination = declination
    self.warnings = warnings
    self.unheard = unheard
    self.maximumSilence = maximumSilence
    (channels, rates) = Self.channels(of: samples)
    auxiliaryChannels = Set(auxiliary.map(\.channel))
    let firsts = [samples.first?.time, self.auxiliary.first?.time].compactMap { $0 }
    let lasts = [samples.last?.time, self.auxiliary.last?.time].compactMap { $0 }
    times = (firsts.min() ?? 0)...(lasts.max() ?? 0)
    state = State(speed: speed, isPaused: isPaused, position: firsts.min() ?? 0)
  }

  /// Creates a source that plays a log of any supported format: all its motion sensors and all its other channels, or
  /// the channels that `options` select. The problems found in the log are added to the `warnings`.
  ///
  /// - Parameters:
  ///   - path: The path of the log.
  ///   - options: The settings of the log that its content leaves open.
  ///   - given: The place and date of the recording, for true north; it overrides the log's own.
  ///   - speed: The playback speed, above 0: 1 is real time; infinite: as fast as possible.
  ///   - unheard: The behaviour of the clock while no receiver is attached.
  ///   - isPaused: Whether to wait for `resume`.
  ///   - maximumSilence: The time without a sample after which silence is reported, in seconds.
  /// - Throws: `LogError` if the log cannot be read or its samples are invalid, as for `inertial fuse` (`LogFeed`),
  ///   except that a missing sensor is accepted; or if `given` is not a valid place or has no magnetic model.
  public convenience init(
    path: String, options: LogOptions = LogOptions(), given: PlaceAndDate = PlaceAndDate(), speed: Double = 1,
    unheard: IdleClockPolicy = .automatic, isPaused: Bool = false, maximumSilence: Double = 2
  ) throws(LogError) {
    var feed = LogFeed(path: path, options: options)
    if options.auxiliary.isEmpty { feed.options.auxiliary = AuxiliaryChannel.ofLogs }
    feed.neededChannels = []
    feed.followedChannels = LogFeed.motionChannels
    let log = try feed.load()
    let declination = try given.declination(of: path, log: PlaceAndDate(of: log))
    self.init(
      samples: log.samples, auxiliary: log.auxiliary, name: path, epoch: log.summary.description.epoch,
      declination: declination.angle, warnings: log.summary.warnings + declination.warnings, speed: speed,
      unheard: unheard, isPaused: isPaused, maximumSilence: maximumSilence)
  }

  /// Returns the channels of samples, and the rates in Hz of those with two samples of different times.
  private static func channels(of samples: [SensorSample]) -> (Set<SensorChannel>, [SensorChannel: Double]) {
    var channels: Set<SensorChannel> = []
    var rates: [SensorChannel: Double] = [:]
    var spans = Array(repeating: (first: 0.0, last: 0.0, count: 0), count: SensorChannel.allCases.count)
    for sample in samples {
      let index = Int(sample.channel.rawValue)
      if spans[index].count == 0 { spans[index].first = sample.time }
      spans[index].last = sample.time
      spans[index].count += 1
    }
    for (channel, span) in zip(SensorChannel.allCases, spans) where span.count > 0 {
      channels.insert(channel)
      if span.last > span.first { rates[channel] = Double(span.count - 1) / (span.last - span.first) }
    }
    return (channels, rates)
  }

  /// All recorded samples, in chronological order.
  package var recordedSamples: [SensorSample] { samples }
  package var recordedAuxiliary: [AuxiliarySample] { auxiliary }

  public func rate(of channel: SensorChannel) -> Double? { rates[channel] }

  public var waitsForReceivers: Bool { speed == .infinity }

  public func attach(_ receiver: any SensorReceiver) -> SensorAttachment {
    let delivery = Delivery(receiver)
    monitor.withLock {
      if state.receivers.isEmpty {
        skipUnheard()
        startClock()
        state.hasBegun = true
      }
      state.receivers.append((delivery, knowsEnd: false))
      if !state.isPlaying {
        state.isPlaying = true
        DetachedThread.start { [self] in play() }
      }
      monitor.broadcast()
    }
    return SensorAttachment(leave: { [weak self] in self?.detach(delivery) }, cut: { delivery.cancel() })
  }

  private func detach(_ delivery: Delivery) {
    monitor.withLock {
      guard let index = state.receivers.firstIndex(where: { $0.delivery === delivery }) else { return }
      if state.receivers.count == 1 { stopClock() }
      state.receivers.remove(at: index)
      monitor.broadcast()
    }
  }

  // MARK: The clock

  /// The playback speed; 1 is real time, infinite is as fast as possible. Can be changed at any time.
  public var speed: Double {
    get { monitor.withLock { state.speed } }
    set {
      precondition(newValue > 0, "the speed must be above 0, not \(newValue)")
      monitor.withLock {
        stopClock()
        state.speed = newValue
        startClock()
        monitor.broadcast()
      }
    }
  }

  /// Whether the recording is paused until `resume`.
  public var isPaused: Bool { monitor.withLock { state.isPaused } }

  /// The playback position on the recording's clock, in seconds.
  public var position: Double { monitor.withLock { position(at: MonotonicClock.now) } }

  /// Whether all samples have been played.
  public var isAtEnd: Bool {
    monitor.withLock {
      skipUnheard()
      return nextTime == nil
    }
  }

  /// Pauses the recording.
  public func pause() {
    monitor.withLock {
      stopClock()
      state.isPaused = true
      monitor.broadcast()
    }
  }

  /// Resumes the recording at its current position.
  public func resume() {
    monitor.withLock {
      guard state.isPaused else { return }
      state.isPaused = false
      startClock()
      monitor.broadcast()
    }
  }

  /// Moves to a time of the recording; playback continues with the first sample at or after this time. A discontinuity
  /// is reported to the attached receivers first.
  public func seek(to time: Double) {
    monitor.withLock {
      let time = min(max(time, times.lowerBound), times.upperBound)
      state.position = time.isNaN ? times.lowerBound : time
      startClock()
      state.index = samples.partitioningIndex { $0.time >= state.position }
      state.auxiliaryIndex = auxiliary.partitioningIndex { $0.time >= state.position }
      state.hasJumped = true
      // The clock waits there for the next receiver.
      if state.receivers.isEmpty { state.hasBegun = false }
      for index in state.receivers.indices { state.receivers[index].knowsEnd = false }
      monitor.broadcast()
    }
  }

  /// The current time on the log's clock, in seconds, as in the samples' timestamps.
  ///
  /// Within a handler of an update this is the update's time, even if playback is ahead of it; elsewhere it is
  /// `position`.
  public var time: Double? { handledTime ?? position }

  /// Waits for the end, until a time of `MonotonicClock` or until the wait is cancelled.
  ///
  /// - Parameter idleness: The time since which nothing can end the wait, kept between calls.
  /// - Returns: Whether the end has been reported.
  func waitForEnd(
    until deadline: Double, _ idleness: inout Idleness, unless isCalledOff: () -> Bool = { false }
  ) -> Bool {
    monitor.withLock {
      while true {
        skipUnheard()
        if isOver { return true }
        let now = MonotonicClock.now
        idleness.update(isIdle: isIdle, now, limit: maximumSilence)
        guard now < deadline, !idleness.isOver, !isCalledOff() else { return false }
        monitor.wait(until: min(deadline, unheardEnd, idleness.end))
      }
    }
  }

  /// The time for which a recording with samples left has had no receiver and its clock has not run.
  struct Idleness {
    /// The time of `MonotonicClock` at which the wait is given up, or infinity if the recording is not idle.
    private(set) var end = Double.infinity
    /// Whether the recording has been idle for too long.
    private(set) var isOver = false

    fileprivate mutating func update(isIdle: Bool, _ now: Double, limit: Double) {
      guard isIdle else { return end = .infinity }
      if end == .infinity { end = now + limit }
      isOver = now >= end
    }
  }

  /// Whether only a new receiver or `resume` can lead to the end.
  private var isIdle: Bool { state.receivers.isEmpty && nextTime != nil && clockRate == 0 }

  /// Wakes all threads that wait for the end, so that they check whether their wait is cancelled.
  func wakeWaiters() { monitor.withLock { monitor.broadcast() } }

  /// The time of `MonotonicClock` at which the end passes while no receiver is attached.
  private var unheardEnd: Double {
    guard state.receivers.isEmpty, clockRate > 0 else { return .infinity }
    return state.instant + max(0, times.upperBound - state.position) / clockRate + 1e-3
  }

  private var isOver: Bool {
    nextTime == nil && !state.hasJumped && state.endCount == 0 && state.receivers.allSatisfy(\.knowsEnd)
  }

  private func position(at now: Double) -> Double {
    let position = state.position + (now - state.instant) * clockRate
    return clockRate > 0 ? min(max(position, state.position), times.upperBound) : state.position
  }

  /// The rate of the recording's clock relative to the machine's clock.
  private var clockRate: Double {
    guard !state.isPaused, state.hasBegun else { return 0 }
    guard state.receivers.isEmpty else { return state.speed < .infinity ? state.speed : 0 }
    guard runsUnheard else { return 0 }
    return state.speed < .infinity ? state.speed : 1
  }

  private var runsUnheard: Bool {
    switch unheard {
    case .runs: true
    case .stands: false
    case .automatic: state.speed < .infinity
    }
  }

  /// Skips the samples that were due while no receiver was attached.
  private func skipUnheard() {
    guard state.receivers.isEmpty, state.hasBegun, runsUnheard else { return }
    let now = MonotonicClock.now
    // The end itself may be skipped, too.
    let time = state.position + (now - state.instant) * clockRate
    state.index = max(state.index, samples.partitioningIndex { $0.time >= time })
    state.auxiliaryIndex = max(state.auxiliaryIndex, auxiliary.partitioningIndex { $0.time >= time })
    (state.position, state.instant) = (min(time, times.upperBound), now)
  }

  private func startClock() { (state.instant, state.lastEvent) = (MonotonicClock.now, MonotonicClock.now) }

  private func stopClock() {
    let now = MonotonicClock.now
    (state.position, state.instant) = (position(at: now), now)
  }

  // MARK: The thread

  private var nextTime: Double? {
    let motion = state.index < samples.count ? samples[state.index].time : nil
    let other = state.auxiliaryIndex < auxiliary.count ? auxiliary[state.auxiliaryIndex].time : nil
    return [motion, other].compactMap { $0 }.min()
  }

  private func play() {
    monitor.lock()
    while !state.receivers.isEmpty {
      if state.hasJumped {
        state.hasJumped = false
        deliver(.discontinuity)
      } else if state.isPaused {
        monitor.wait()
      } else if let time = nextTime {
        playNext(time)
      } else if !deliverEnd() {
        monitor.wait()
      }
    }
    state.isPlaying = false
    monitor.broadcast()
    monitor.unlock()
  }

  /// Delivers the due samples, or waits for them.
  private func playNext(_ time: Double) {
    guard state.speed < .infinity else {
      state.position = time
      deliverNext(upTo: time)
      return
    }
    let now = MonotonicClock.now
    let due = state.instant + (time - state.position) / state.speed
    if now >= due {
      deliverNext(upTo: max(time, position(at: now)))
    } else if now >= state.lastEvent + maximumSilence {
      let silence = now - state.lastEvent
      state.lastEvent = .infinity
      deliver(.silence(silence))
    } else {
      monitor.wait(until: min(due, state.lastEvent + maximumSilence))
    }
  }

  /// Delivers samples of one kind up to a time, as far as the order of the two kinds allows.
  private func deliverNext(upTo time: Double) {
    state.lastEvent = MonotonicClock.now
    let motionTime = state.index < samples.count ? samples[state.index].time : .infinity
    let firstOther = state.auxiliaryIndex
    // Not later than the next motion sample.
    while state.auxiliaryIndex < auxiliary.count, auxiliary[state.auxiliaryIndex].time <= min(time, motionTime) {
      state.auxiliaryIndex += 1
    }
    guard state.auxiliaryIndex == firstOther else {
      return deliver(.auxiliary(Array(auxiliary[firstOther..<state.auxiliaryIndex])))
    }
    let otherTime = firstOther < auxiliary.count ? auxiliary[firstOther].time : .infinity
    let first = state.index
    while state.index < samples.count, samples[state.index].time <= time, samples[state.index].time < otherTime {
      state.index += 1
    }
    deliver(.samples(Array(samples[first..<state.index])))
  }

  /// Reports the end to the remaining receivers. Returns `false` if all of them have been notified.
  private func deliverEnd() -> Bool {
    let remaining = state.receivers.indices.filter { !state.receivers[$0].knowsEnd }
    guard !remaining.isEmpty else { return false }
    let receivers = remaining.map { state.receivers[$0].delivery }
    for index in remaining { state.receivers[index].knowsEnd = true }
    state.endCount += 1
    monitor.unlock()
    for delivery in receivers { delivery.deliver(.end(nil)) }
    monitor.lock()
    state.endCount -= 1
    monitor.broadcast()
    return true
  }

  /// Delivers an event, without the lock: receivers may take their time and may call the source.
  private func deliver(_ event: SensorEvent) {
    let receivers = state.receivers.map(\.delivery)
    monitor.unlock()
    for delivery in receivers { delivery.deliver(event) }
    monitor.lock()
  }
}
