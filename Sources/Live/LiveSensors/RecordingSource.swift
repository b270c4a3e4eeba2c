public import InertialLogs
public import InertialNumerics
public import InertialSensors

/// Plays a recording as if its sensors were here: in real time, slower or faster, or as fast as the receivers take it.
///
/// Samples keep their times. The recording's clock begins with the first who is attached, and runs unless it is paused.
/// What it does when the last one has left is `unheard`'s: at a speed it runs on, as time does while an app has stopped
/// its sensors, and as fast as possible it stands. All who are attached hear the same. As fast as possible the source
/// waits for its receivers, so nothing is lost; whoever needs the very first samples attaches while it is paused, or is
/// the first.
///
/// Played on one thread of its own, which waits for the time of the next sample and never looks before.
public final class RecordingSource: SensorSource, @unchecked Sendable {
  public let name: String
  public let channels: Set<SensorChannel>
  public let auxiliaryChannels: Set<AuxiliaryChannel>
  public let epoch: Double?
  public let declination: Double?
  public let warnings: [String]
  /// What the clock does while nobody is attached.
  public let unheard: UnheardTime
  /// The first and last time, seconds on the log's clock; 0 for an empty recording.
  public let times: ClosedRange<Double>
  /// Seconds of real time without a sample after which the source says that it is silent.
  public let longestSilence: Double

  /// UNIX time at which the recording was opened, seconds.
  package let openedAt = MonotonicClock.timeOfDay

  private let samples: [SensorSample]
  private let auxiliary: [AuxiliarySample]
  private let rates: [SensorChannel: Double]

  private let monitor = Monitor()
  private var state: State

  /// What a recording's clock does while nobody is attached, once somebody has been.
  public enum UnheardTime: String, Sendable, CaseIterable {
    /// It runs on at a speed, and stands where the recording is played as fast as possible: there every run is the same.
    case automatic
    /// It runs on, and what it passes is not heard; as fast as possible it passes in real time.
    case runs
    /// It stands, and goes on from there with the next.
    case stands
  }

  private struct State {
    var speed: Double
    var isPaused: Bool
    /// Where the recording stood, and when: seconds on its clock and on the machine's.
    var position: Double
    var instant = 0.0
    /// The next samples.
    var index = 0
    var auxiliaryIndex = 0
    var listeners: [Listener] = []
    var isPlaying = false
    /// Whether somebody has been attached since the start, or since a jump that nobody heard.
    var hasBegun = false
    /// A jump that the listeners have not been told of.
    var hasJumped = false
    /// The machine's time of the last event, for silence; infinite where silence was told.
    var lastEvent = 0.0
    var endCount = 0
  }

  private struct Listener {
    var delivery: Delivery
    var knowsEnd = false
  }

  /// Plays samples in memory.
  ///
  /// - `samples`: judged and in order of time, as `SampleConditioner` or `LogFeed` gives them.
  /// - `auxiliary`: of other channels, in any order.
  /// - `epoch`: UNIX time in seconds of time 0; nil where it is not known.
  /// - `declination`: radians, positive where magnetic north is east of true north; nil where it is not known.
  /// - `warnings`: what whoever uses the recording should know, a line each.
  /// - `speed`: 1 is real time, 2 twice as fast; infinite: as fast as possible. Above 0.
  /// - `unheard`: what the clock does while nobody is attached.
  /// - `isPaused`: whether to wait for `resume`.
  public init(
    samples: [SensorSample], auxiliary: [AuxiliarySample] = [], name: String = "samples in memory",
    epoch: Double? = nil, declination: Double? = nil, warnings: [String] = [], speed: Double = 1,
    unheard: UnheardTime = .automatic, isPaused: Bool = false, longestSilence: Double = 2
  ) {
    precondition(speed > 0, "a speed is a number above 0, not \(speed)")
    self.samples = samples
    self.auxiliary = auxiliary.inTimeOrder()
    self.name = name
    self.epoch = epoch
    self.declination = declination
    self.warnings = warnings
    self.unheard = unheard
    self.longestSilence = longestSilence
    let facts = RecordingFacts(samples)
    channels = facts.channels
    rates = facts.rates
    auxiliaryChannels = Set(auxiliary.map(\.channel))
    let firsts = [samples.first?.time, self.auxiliary.first?.time].compactMap { $0 }
    let lasts = [samples.last?.time, self.auxiliary.last?.time].compactMap { $0 }
    times = (firsts.min() ?? 0)...(lasts.max() ?? 0)
    state = State(speed: speed, isPaused: isPaused, position: firsts.min() ?? 0)
  }

  /// Reads a log of any known format and plays it: all its motion sensors and, unless `options` ask for some, all its
  /// other channels. What was found amiss with the log is among the `warnings`.
  ///
  /// - `given`: where and when it was recorded, for true north; goes before what the log tells.
  /// - Throws: where the log cannot be read or its samples are unfit, as for `inertial fuse` (`LogFeed`), which a log that
  ///   lacks a sensor is not; or where what is given is no place or has no magnetic model.
  public convenience init(
    path: String, options: LogOptions = LogOptions(), given: PlaceAndDate = PlaceAndDate(), speed: Double = 1,
    unheard: UnheardTime = .automatic, isPaused: Bool = false, longestSilence: Double = 2
  ) throws(LogError) {
    var feed = LogFeed(path: path, options: options)
    if options.auxiliary.isEmpty { feed.options.auxiliary = AuxiliaryChannel.ofLogs }
    feed.neededChannels = []
    feed.followedChannels = LogFeed.motionChannels
    let log = try feed.load()
    let north = try SourceNorth(of: path, given: given, log: PlaceAndDate(of: log))
    self.init(
      samples: log.samples, auxiliary: log.auxiliary, name: path, epoch: log.summary.description.epoch,
      declination: north.declination, warnings: log.summary.warnings + north.warnings, speed: speed, unheard: unheard,
      isPaused: isPaused, longestSilence: longestSilence)
  }

  /// Everything on record, in order of time.
  package var recordedSamples: [SensorSample] { samples }
  package var recordedAuxiliary: [AuxiliarySample] { auxiliary }

  public func rate(of channel: SensorChannel) -> Double? { rates[channel] }

  public var waitsForReceivers: Bool { speed == .infinity }

  public func attach(_ receiver: any SensorReceiver) -> SensorAttachment {
    let delivery = Delivery(receiver)
    monitor.withLock {
      if state.listeners.isEmpty {
        passUnheard()
        startClock()
        state.hasBegun = true
      }
      state.listeners.append(Listener(delivery: delivery))
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
      guard let index = state.listeners.firstIndex(where: { $0.delivery === delivery }) else { return }
      if state.listeners.count == 1 { stopClock() }
      state.listeners.remove(at: index)
      monitor.broadcast()
    }
  }

  // MARK: The clock

  /// 1 is real time; infinite: as fast as possible. May be changed at any time.
  public var speed: Double {
    get { monitor.withLock { state.speed } }
    set {
      precondition(newValue > 0, "a speed is a number above 0, not \(newValue)")
      monitor.withLock {
        stopClock()
        state.speed = newValue
        startClock()
        monitor.broadcast()
      }
    }
  }

  /// Whether the recording stands until `resume`.
  public var isPaused: Bool { monitor.withLock { state.isPaused } }

  /// Where the recording is played: seconds on its clock.
  public var position: Double { monitor.withLock { place(at: MonotonicClock.now) } }

  /// Whether everything has been played.
  public var isAtEnd: Bool {
    monitor.withLock {
      passUnheard()
      return nextTime == nil
    }
  }

  /// Lets the recording stand where it is.
  public func pause() {
    monitor.withLock {
      stopClock()
      state.isPaused = true
      monitor.broadcast()
    }
  }

  /// Lets the recording go on from where it stands.
  public func resume() {
    monitor.withLock {
      guard state.isPaused else { return }
      state.isPaused = false
      startClock()
      monitor.broadcast()
    }
  }

  /// Goes to a time of the recording, which is played from its first sample at or after it. Those who are attached are
  /// told of a discontinuity first.
  public func seek(to time: Double) {
    monitor.withLock {
      let time = min(max(time, times.lowerBound), times.upperBound)
      state.position = time.isNaN ? times.lowerBound : time
      startClock()
      state.index = samples.partitioningIndex { $0.time >= state.position }
      state.auxiliaryIndex = auxiliary.partitioningIndex { $0.time >= state.position }
      state.hasJumped = true
      // It waits there for the next who listens.
      if state.listeners.isEmpty { state.hasBegun = false }
      for index in state.listeners.indices { state.listeners[index].knowsEnd = false }
      monitor.broadcast()
    }
  }

  /// What time it is: seconds on the log's clock, as the samples' own times are.
  ///
  /// Within a handler of an update it is the update's time, however far ahead the recording is played; elsewhere it is
  /// `position`.
  public var time: Double? { HandledUpdate.time(of: self) ?? position }

  /// Waits for the end, no longer than until a time of `MonotonicClock` or until it is called off.
  ///
  /// - Returns: whether the end has been told.
  func waitForEnd(until deadline: Double, unless isCalledOff: () -> Bool = { false }) -> Bool {
    monitor.withLock {
      while true {
        passUnheard()
        if isOver { return true }
        guard MonotonicClock.now < deadline, !isCalledOff() else { return false }
        monitor.wait(until: min(deadline, unheardEnd))
      }
    }
  }

  /// Wakes those who wait for the end, so that they look whether that is called off.
  func wakeWaiters() { monitor.withLock { monitor.broadcast() } }

  /// When the end is passed while nobody listens, by `MonotonicClock`.
  private var unheardEnd: Double {
    guard state.listeners.isEmpty, clockRate > 0 else { return .infinity }
    return state.instant + max(0, times.upperBound - state.position) / clockRate + 1e-3
  }

  private var isOver: Bool {
    nextTime == nil && !state.hasJumped && state.endCount == 0 && state.listeners.allSatisfy(\.knowsEnd)
  }

  private func place(at now: Double) -> Double {
    let place = state.position + (now - state.instant) * clockRate
    return clockRate > 0 ? min(max(place, state.position), times.upperBound) : state.position
  }

  /// Seconds of the recording that pass by themselves in one of the machine's.
  private var clockRate: Double {
    guard !state.isPaused, state.hasBegun else { return 0 }
    guard state.listeners.isEmpty else { return state.speed < .infinity ? state.speed : 0 }
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

  /// Goes past what was due while nobody listened.
  private func passUnheard() {
    guard state.listeners.isEmpty, state.hasBegun, runsUnheard else { return }
    let now = MonotonicClock.now
    // The end itself can be passed, too.
    let time = state.position + (now - state.instant) * clockRate
    state.index = max(state.index, samples.partitioningIndex { $0.time >= time })
    state.auxiliaryIndex = max(state.auxiliaryIndex, auxiliary.partitioningIndex { $0.time >= time })
    (state.position, state.instant) = (min(time, times.upperBound), now)
  }

  private func startClock() { (state.instant, state.lastEvent) = (MonotonicClock.now, MonotonicClock.now) }

  private func stopClock() {
    let now = MonotonicClock.now
    (state.position, state.instant) = (place(at: now), now)
  }

  // MARK: The thread

  private var nextTime: Double? {
    let motion = state.index < samples.count ? samples[state.index].time : nil
    let other = state.auxiliaryIndex < auxiliary.count ? auxiliary[state.auxiliaryIndex].time : nil
    return [motion, other].compactMap { $0 }.min()
  }

  private func play() {
    monitor.lock()
    while !state.listeners.isEmpty {
      if state.hasJumped {
        state.hasJumped = false
        tell(.discontinuity)
      } else if state.isPaused {
        monitor.wait()
      } else if let time = nextTime {
        playNext(time)
      } else if !tellEnd() {
        monitor.wait()
      }
    }
    state.isPlaying = false
    monitor.broadcast()
    monitor.unlock()
  }

  /// Tells what is due, or waits for it.
  private func playNext(_ time: Double) {
    guard state.speed < .infinity else {
      state.position = time
      tellNext(upTo: time)
      return
    }
    let now = MonotonicClock.now
    let due = state.instant + (time - state.position) / state.speed
    if now >= due {
      tellNext(upTo: max(time, place(at: now)))
    } else if now >= state.lastEvent + longestSilence {
      let silence = now - state.lastEvent
      state.lastEvent = .infinity
      tell(.silence(silence))
    } else {
      monitor.wait(until: min(due, state.lastEvent + longestSilence))
    }
  }

  /// Tells samples of one kind up to a time, as far as the order of the two kinds allows.
  private func tellNext(upTo time: Double) {
    state.lastEvent = MonotonicClock.now
    let motionTime = state.index < samples.count ? samples[state.index].time : .infinity
    let firstOther = state.auxiliaryIndex
    // No later than the motion that comes next.
    while state.auxiliaryIndex < auxiliary.count, auxiliary[state.auxiliaryIndex].time <= min(time, motionTime) {
      state.auxiliaryIndex += 1
    }
    guard state.auxiliaryIndex == firstOther else {
      return tell(.auxiliary(Array(auxiliary[firstOther..<state.auxiliaryIndex])))
    }
    let otherTime = firstOther < auxiliary.count ? auxiliary[firstOther].time : .infinity
    let first = state.index
    while state.index < samples.count, samples[state.index].time <= time, samples[state.index].time < otherTime {
      state.index += 1
    }
    tell(.samples(Array(samples[first..<state.index])))
  }

  /// Tells those who do not know it yet; false where all do.
  private func tellEnd() -> Bool {
    let told = state.listeners.indices.filter { !state.listeners[$0].knowsEnd }
    guard !told.isEmpty else { return false }
    let deliveries = told.map { state.listeners[$0].delivery }
    for index in told { state.listeners[index].knowsEnd = true }
    state.endCount += 1
    monitor.unlock()
    for delivery in deliveries { delivery.deliver(.end(nil)) }
    monitor.lock()
    state.endCount -= 1
    monitor.broadcast()
    return true
  }

  /// Gives the lock up meanwhile: receivers take their time, and may call the source.
  private func tell(_ event: SensorEvent) {
    let deliveries = state.listeners.map(\.delivery)
    monitor.unlock()
    for delivery in deliveries { delivery.deliver(event) }
    monitor.lock()
  }
}
