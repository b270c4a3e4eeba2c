internal import DequeModule
internal import InertialNumerics
internal import InertialRotations

/// Judges every sample of a log and hands the good ones on in order of time, in bounded memory.
///
/// Per channel: NaN is no sample; infinite or impossible values are skipped; samples out of order are put in order
/// within `horizon`; equal samples of one time collapse; different samples of one time are kept in order, spaced by
/// `shortestSpacing`. Everything that was done is counted in `channelReports`. Samples of equal time come out in the order
/// of their channels (gyroscope, accelerometer, magnetometer, ...).
package struct SampleConditioner: Sendable {
  /// What became of a sample.
  package enum Outcome: Sendable, Equatable {
    case kept
    /// NaN: no sample.
    case missing
    /// Infinite, impossible, or without a time.
    case invalid
    /// Older than what has been handed on: the log must be sorted as a whole (batch) or the sample is lost (live).
    case late
  }

  /// No sensor in use samples faster than 10 kHz: closer samples of one time are set apart by this, seconds.
  package static let shortestSpacing = 1e-4

  /// Times further from 0 are no clock's, seconds: beyond them a double cannot tell two samples apart, and whoever goes on in
  /// small steps never arrives.
  static let latestTime = 1e13

  package let limits: SensorLimits
  /// How far back, in seconds, a sample may come out of order and still find its place. Infinite: the log is kept
  /// whole and sorted at its end.
  package let horizon: Double

  private var channels = [Channel](repeating: Channel(), count: SensorChannel.allCases.count)
  private var waiting: Deque<SensorSample> = []
  private var newestTime = -Double.infinity
  private var releasedTime = -Double.infinity
  private var isFinished = false

  private struct Channel: Sendable {
    var report = ChannelReport()
    var last: SensorSample?
    var lastAppendedTime = -Double.infinity
  }

  package init(limits: SensorLimits = .standard, horizon: Double = 1) {
    self.limits = limits
    self.horizon = horizon
  }

  /// Takes a sample of the log, in file order.
  @discardableResult
  package mutating func append(_ sample: SensorSample) -> Outcome {
    let index = Int(sample.channel.rawValue)
    // NaN is no smaller.
    var outcome = sample.time.magnitude <= Self.latestTime ? limits.judge(sample) : .invalid
    if outcome == .kept, sample.time < releasedTime { outcome = .late }
    channels[index].report.note(outcome, line: sample.line)
    guard outcome == .kept || outcome == .late else { return outcome }
    if sample.time < channels[index].lastAppendedTime {
      channels[index].report.noteOutOfOrder(line: sample.line)
    }
    channels[index].lastAppendedTime = sample.time
    guard outcome == .kept else { return outcome }
    insert(sample)
    newestTime = max(newestTime, sample.time)
    return .kept
  }

  /// No more samples will come: everything that waits is handed on.
  package mutating func finish() {
    isFinished = true
    guard horizon == .infinity else { return }
    let order = waiting.indices.sorted { a, b in
      comesBefore(waiting[a], waiting[b]) || (!comesBefore(waiting[b], waiting[a]) && a < b)
    }
    waiting = Deque(order.map { waiting[$0] })
  }

  /// Begins anew with samples of another clock, none of which is late; what waited must have been handed on.
  package mutating func restart() {
    precondition(waiting.isEmpty, "samples wait to be handed on")
    isFinished = false
    (newestTime, releasedTime) = (-.infinity, -.infinity)
    for index in channels.indices { (channels[index].last, channels[index].lastAppendedTime) = (nil, -.infinity) }
  }

  /// The next sample in order of time, or nil until more samples came.
  package mutating func next() -> SensorSample? {
    while let first = waiting.first, isFinished || first.time <= newestTime - horizon {
      waiting.removeFirst()
      releasedTime = first.time
      if let sample = separated(first) { return sample }
    }
    return nil
  }

  /// Takes samples of the log, in file order, and appends those that can be handed on to `ready`.
  ///
  /// - Returns: false at the first sample that is late, after which nothing more is taken.
  package mutating func append(_ samples: [SensorSample], handingOnTo ready: inout [SensorSample]) -> Bool {
    for sample in samples {
      if append(sample) == .late { return false }
      while let next = next() { ready.append(next) }
    }
    return true
  }

  /// Appends samples that can be handed on to `ready`, until it has `limit` of them.
  package mutating func handOn(to ready: inout [SensorSample], atMost limit: Int) {
    while ready.count < limit, let next = next() { ready.append(next) }
  }

  /// Whether no sample waits to be handed on.
  package var isEmpty: Bool { waiting.isEmpty }

  /// The counts per channel, for those that had a sample.
  package var channelReports: [SensorChannel: ChannelReport] {
    var result: [SensorChannel: ChannelReport] = [:]
    for channel in SensorChannel.allCases where channels[Int(channel.rawValue)].report.count > 0 {
      result[channel] = channels[Int(channel.rawValue)].report
    }
    return result
  }

  private mutating func insert(_ sample: SensorSample) {
    guard horizon < .infinity else {
      waiting.append(sample)
      return
    }
    var index = waiting.endIndex
    while index > waiting.startIndex, comesBefore(sample, waiting[index - 1]) { index -= 1 }
    if index == waiting.endIndex {
      waiting.append(sample)
    } else {
      waiting.insert(sample, at: index)
    }
  }

  private func comesBefore(_ a: SensorSample, _ b: SensorSample) -> Bool {
    a.time != b.time ? a.time < b.time : a.channel.rawValue < b.channel.rawValue
  }

  /// Collapses equal samples of one time and sets different ones apart.
  private mutating func separated(_ sample: SensorSample) -> SensorSample? {
    let index = Int(sample.channel.rawValue)
    var sample = sample
    if let last = channels[index].last {
      if sample.time == channels[index].report.lastTime, sample.hasValues(of: last) {
        channels[index].report.collapsed += 1
        return nil
      }
      // A stamp repeated with other values, or one overtaken by samples that were set apart.
      channels[index].report.note(interval: sample.time - channels[index].report.lastTime)
      channels[index].report.lastTime = sample.time
      if sample.time <= last.time {
        channels[index].report.setApart += 1
        sample.time = last.time + Self.shortestSpacing
      }
    } else {
      channels[index].report.firstTime = sample.time
      channels[index].report.lastTime = sample.time
    }
    channels[index].last = sample
    return sample
  }
}

extension SensorSample {
  fileprivate func hasValues(of other: SensorSample) -> Bool {
    x == other.x && y == other.y && z == other.z && (w == other.w || (w.isNaN && other.w.isNaN))
  }
}

extension SensorLimits {
  /// Whether a sample's values are missing, impossible or to be kept; its time is not looked at.
  func judge(_ sample: SensorSample) -> SampleConditioner.Outcome {
    let vector = sample.vector
    switch sample.channel {
    case .gyroscope, .deviceRotationRate:
      if allowsRotationRate(vector) { return .kept }
    case .accelerometer:
      if allowsAcceleration(vector) { return .kept }
    case .deviceGravity, .deviceUserAcceleration:
      if vector.isFinite, vector.maximumMagnitude <= acceleration { return .kept }
    case .magnetometer, .calibratedMagneticField:
      if allowsRawField(vector) { return .kept }
    case .deviceAttitude, .referenceAttitude:
      // A quaternion far from unit norm is no rotation; rounding to a few decimals is.
      let squaredNorm = sample.quaternion.squaredNorm
      if squaredNorm > 0.9, squaredNorm < 1.1 { return .kept }
      if sample.w.isNaN { return .missing }
    case .deviceHeading, .movement:
      if sample.x.isFinite { return .kept }
    }
    return vector.x.isNaN || vector.y.isNaN || vector.z.isNaN ? .missing : .invalid
  }
}
