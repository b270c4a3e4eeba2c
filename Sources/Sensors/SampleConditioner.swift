internal import InertialNumerics
internal import InertialRotations

/// Checks every sample of a log and delivers the valid ones sorted by time, in bounded memory.
///
/// Per channel: NaN counts as missing; infinite or impossible values are skipped; samples out of order are sorted
/// within `horizon`; equal samples with the same time collapse; different samples with the same time are kept in order,
/// spaced by `minimumSpacing`. All actions are counted in `channelReports`. Samples of equal time are delivered in the
/// order of their channels (gyroscope, accelerometer, magnetometer, ...).
package struct SampleConditioner: Sendable, Codable {
  /// The result of the check of a sample.
  package enum Outcome: Sendable, Equatable {
    case kept
    /// The sample is NaN.
    case missing
    /// The sample is infinite, impossible, or without a time.
    case invalid
    /// The sample is older than a delivered sample: the log must be sorted as a whole (batch), or the sample is lost
    /// (live).
    case late
  }

  /// The spacing of samples with the same time, in seconds. No sensor in use samples faster than 10 kHz.
  package static let minimumSpacing = 1e-4

  /// The largest valid magnitude of a timestamp, in seconds. Beyond it, a double cannot distinguish two samples, and
  /// loops with small steps do not advance.
  static let latestTime = 1e13

  /// The longest time by which a sample may be out of order and still be sorted, in seconds. If infinite, the whole log
  /// is buffered and sorted at its end.
  package let horizon: Double

  private var channels = [Channel](repeating: Channel(), count: SensorChannel.allCases.count)
  /// The pending samples, from `first` on, sorted by time unless the horizon is infinite.
  private var pending: [SensorSample] = []
  private var first = 0
  private var newestTime = -Double.infinity
  private var releasedTime = -Double.infinity
  private var isFinished = false

  private struct Channel: Sendable, Codable {
    var report = ChannelReport()
    /// The last released sample; void until `hasLast`. Not an optional, which is slow to copy.
    var last = SensorSample(time: 0, channel: .gyroscope, x: 0)
    var hasLast = false
    var lastAppendedTime = -Double.infinity

    /// Counts a sample of the log, in file order.
    @inline(__always)
    mutating func note(_ outcome: Outcome, _ sample: SensorSample) {
      report.note(outcome, line: sample.line)
      guard outcome == .kept || outcome == .late else { return }
      if sample.time < lastAppendedTime { report.noteOutOfOrder(line: sample.line) }
      lastAppendedTime = sample.time
    }

    /// Adds a released sample that is later than the last one, as almost all are: the same as `separate`, but in less
    /// time.
    ///
    /// - Returns: `false` for any other sample, which is not added.
    @inline(__always)
    mutating func follow(_ sample: SensorSample) -> Bool {
      guard hasLast, sample.time > last.time else { return false }
      report.note(interval: sample.time - report.lastTime)
      report.lastTime = sample.time
      last = sample
      return true
    }

    /// Separates a sample from others with the same time.
    ///
    /// - Returns: `false` if the sample repeats the last one.
    @inline(__always)
    mutating func separate(_ sample: inout SensorSample) -> Bool {
      if hasLast {
        if sample.time == report.lastTime, sample.hasValues(of: last) {
          report.collapsed += 1
          return false
        }
        // The timestamp is repeated with other values, or retimed samples have overtaken it.
        report.note(interval: sample.time - report.lastTime)
        report.lastTime = sample.time
        if sample.time <= last.time {
          report.retimedCount += 1
          sample.time = last.time + minimumSpacing
        }
      } else {
        (report.firstTime, report.lastTime) = (sample.time, sample.time)
      }
      (last, hasLast) = (sample, true)
      return true
    }
  }

  package init(horizon: Double = 1) { self.horizon = horizon }

  /// Adds samples of the log, in file order, and appends to `ready` those that no later sample can precede.
  ///
  /// - Parameter dropsLate: Whether late samples are dropped, as in a stream.
  /// - Returns: `false` at the first late sample, unless late samples are dropped; the samples after it are not added.
  package mutating func append(
    _ samples: [SensorSample], releasingTo ready: inout [SensorSample], dropsLate: Bool = false
  ) -> Bool {
    var start = 0
    while true {
      start = appendInOrder(samples, from: start)
      release(to: &ready, atMost: .max)
      guard start < samples.count else { return true }
      // Which samples are late depends on the released ones.
      if append(samples[start]) == .late, !dropsLate { return false }
      start += 1
    }
  }

  /// Adds the valid samples from an index on of which none is before another, as almost all are: the same as `append`,
  /// but in less time.
  ///
  /// - Returns: The index of the first sample that was not added, or the number of samples.
  private mutating func appendInOrder(_ samples: [SensorSample], from start: Int) -> Int {
    var end = start
    var newest = newestTime
    var last = pending.last
    channels.withUnsafeMutableBufferPointer { channels in
      samples.withUnsafeBufferPointer { samples in
        while end < samples.count {
          let sample = samples[end]
          guard sample.time >= newest, sample.time.magnitude <= Self.latestTime,
            last.map({ !sample.comesBefore($0) }) ?? true, SensorLimits.standard.judge(sample) == .kept
          else { return }
          channels[Int(sample.channel.rawValue)].note(.kept, sample)
          (newest, last) = (sample.time, sample)
          end += 1
        }
      }
    }
    pending += samples[start..<end]
    newestTime = newest
    return end
  }

  // Inlined: a sample that is passed in memory is written in parts and read at once, for which a core waits.
  /// Adds a sample of the log, in file order.
  @discardableResult
  @inline(__always)
  package mutating func append(_ sample: SensorSample) -> Outcome {
    let index = Int(sample.channel.rawValue)
    // The comparison is false for NaN.
    var outcome = sample.time.magnitude <= Self.latestTime ? SensorLimits.standard.judge(sample) : .invalid
    if outcome == .kept, sample.time < releasedTime { outcome = .late }
    channels[index].note(outcome, sample)
    guard outcome == .kept else { return outcome }
    insert(sample)
    newestTime = max(newestTime, sample.time)
    return .kept
  }

  @inline(__always)
  private mutating func insert(_ sample: SensorSample) {
    var index = pending.count
    if horizon < .infinity {
      while index > first, sample.comesBefore(pending[index - 1]) { index -= 1 }
    }
    if index == pending.count {
      pending.append(sample)
    } else {
      pending.insert(sample, at: index)
    }
  }

  /// Moves to `ready` the samples that no later one can precede, until it has `limit` samples.
  package mutating func release(to ready: inout [SensorSample], atMost limit: Int) {
    while true {
      releaseDistinct(to: &ready, atMost: limit)
      guard first < pending.count, ready.count < limit, isComplete(pending[first].time) else { break }
      var sample = pending[first]
      first += 1
      releasedTime = sample.time
      if channels[Int(sample.channel.rawValue)].separate(&sample) { ready.append(sample) }
    }
    forgetReleased()
  }

  /// Whether no later sample can precede a sample of this time.
  @inline(__always)
  private func isComplete(_ time: Double) -> Bool { isFinished || time <= newestTime - horizon }

  /// Moves the samples to `ready` up to one that must be separated from the last one of its channel: the same as
  /// `release`, but in less time.
  private mutating func releaseDistinct(to ready: inout [SensorSample], atMost limit: Int) {
    let latest = isFinished ? Double.infinity : newestTime - horizon
    var end = first
    let maximum = first + min(pending.count - first, max(limit - ready.count, 0))
    channels.withUnsafeMutableBufferPointer { channels in
      pending.withUnsafeBufferPointer { pending in
        while end < maximum, pending[end].time <= latest,
          channels[Int(pending[end].channel.rawValue)].follow(pending[end])
        {
          end += 1
        }
      }
    }
    guard end > first else { return }
    ready += pending[first..<end]
    releasedTime = pending[end - 1].time
    first = end
  }

  /// Removes the released samples from memory, once they are as many as the pending ones.
  private mutating func forgetReleased() {
    guard 2 * first >= pending.count, first >= 1024 || first == pending.count else { return }
    pending.removeFirst(first)
    first = 0
  }

  /// Finishes the input and releases all pending samples.
  package mutating func finish() {
    isFinished = true
    guard horizon == .infinity else { return }
    let order = pending.indices.sorted { a, b in
      pending[a].comesBefore(pending[b]) || (!pending[b].comesBefore(pending[a]) && a < b)
    }
    pending = order.map { pending[$0] }
  }

  /// Restarts with samples of another clock, none of which is late. All pending samples must have been delivered.
  package mutating func restart() {
    precondition(isEmpty, "samples are still pending")
    isFinished = false
    (newestTime, releasedTime) = (-.infinity, -.infinity)
    for index in channels.indices { (channels[index].hasLast, channels[index].lastAppendedTime) = (false, -.infinity) }
  }

  /// Whether no sample is pending.
  package var isEmpty: Bool { first == pending.count }

  /// The reports of the channels that had a sample.
  package var channelReports: [SensorChannel: ChannelReport] {
    var result: [SensorChannel: ChannelReport] = [:]
    for channel in SensorChannel.allCases where channels[Int(channel.rawValue)].report.count > 0 {
      result[channel] = channels[Int(channel.rawValue)].report
    }
    return result
  }
}

extension SensorSample {
  /// Whether this sample is delivered before another one of the log.
  @inline(__always)
  fileprivate func comesBefore(_ other: SensorSample) -> Bool {
    time != other.time ? time < other.time : channel.rawValue < other.channel.rawValue
  }

  fileprivate func hasValues(of other: SensorSample) -> Bool {
    x == other.x && y == other.y && z == other.z && (w == other.w || (w.isNaN && other.w.isNaN))
  }
}

extension SensorLimits {
  /// Returns whether a sample's values are missing, impossible or valid; its time is not checked.
  @inline(__always)
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
      // A quaternion far from unit norm is not a rotation; one rounded to a few decimals is.
      let squaredNorm = sample.quaternion.squaredNorm
      if squaredNorm > 0.9, squaredNorm < 1.1 { return .kept }
      if sample.w.isNaN { return .missing }
    case .deviceHeading, .movement:
      if sample.x.isFinite { return .kept }
    }
    return vector.x.isNaN || vector.y.isNaN || vector.z.isNaN ? .missing : .invalid
  }
}
