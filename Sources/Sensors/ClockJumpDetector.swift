/// Detects, from the times of a log in the order of its file, resets of its clock and steps back.
///
/// A counter of a device restarts after its largest value (2³² µs are 71.6 minutes), a time of day at midnight, and a
/// phone's clock may be set during a recording. The samples after such a step are later than the samples before it,
/// regardless of their timestamps. Samples that are merely out of order are left to be sorted: single samples, and
/// blocks that fit into a hole or before the log's beginning.
package struct ClockJumpDetector: Sendable {
  /// A sample at which a channel's times step back and continue from there: its index among the channel's samples, from
  /// 0, the last time before the step and the first time after it, in seconds, and its line.
  fileprivate typealias Break = (ordinal: Int, old: Double, new: Double, line: UInt32)

  fileprivate struct Channel: Sendable {
    var count = 0
    /// The number of samples older, and of samples later, than their predecessor.
    var (olderCount, laterCount) = (0, 0)
    var last = Double.nan
    /// The usual time between samples, in seconds, or 0 if it is still unknown.
    var interval = 0.0
    /// A step back that may be a step of the clock, and the number of samples since.
    var step: Break?
    var followers = 0
    var breaks: [Break] = []
    /// The intervals that the samples cover without holes: start and end, in the order of the file. The end of the last
    /// one is `coveredEnd`, as changing an array for every sample takes time.
    var covered: [(start: Double, end: Double)] = []
    var coveredEnd = 0.0
  }

  /// The number of samples that must follow a step back before it counts as a step of the clock.
  fileprivate static let minimumFollowerCount = 16
  /// The size of the smallest step, in usual intervals. Smaller steps are jitter.
  fileprivate static let minimumStepSize = 5.0
  /// The maximum number of intervals stored per channel. A log with more breaks is sorted, and its gaps are reported.
  fileprivate static let maximumSegmentCount = 1 << 12
  fileprivate static let gap = 0.5
  /// The size of a small step back, in seconds. More than two smaller steps are a property of the recorder, not of its
  /// clock.
  private static let smallStep = 1.0
  /// The longest time between two pieces of one log in the wrong order, in seconds.
  fileprivate static let seam = 2.0

  /// The times after which clocks restart, in seconds: 2³² and 2³¹ µs, ms and ns, 2¹⁶ ms, a day, half a day, an hour.
  static let moduli = [
    4_294.967296, 2_147.483648, 4_294_967.296, 2_147_483.648, 4.294967296, 2.147483648, 65.536, 86_400, 43_200, 3_600,
  ]
  /// The tolerance of the time before a reset from the modulus, and of the time after it from 0, in seconds.
  private static let nearness = 1.0

  private var channels = [Channel](repeating: Channel(), count: SensorChannel.allCases.count)
  /// Whether a channel has stepped back and continued from there, so the log should be read to its end.
  package private(set) var isSuspicious = false

  package init() {}

  /// Adds samples in the order of the file.
  package mutating func add(raw batch: [SensorSample]) {
    let isBroken = channels.withUnsafeMutableBufferPointer { channels in
      var isBroken = false
      for sample in batch where sample.time.isFinite {
        let channel = Int(sample.channel.rawValue)
        guard !channels[channel].advance(to: sample.time) else { continue }
        channels[channel].add(raw: sample)
        if !channels[channel].breaks.isEmpty { isBroken = true }
      }
      return isBroken
    }
    if isBroken { isSuspicious = true }
  }

  /// Whether the newest sample comes first, and the oldest last, in every channel.
  package var isReversed: Bool {
    let used = channels.filter { $0.count > 0 }
    return !used.isEmpty && used.allSatisfy { 2 * $0.olderCount > $0.count && 100 * $0.laterCount <= $0.olderCount }
  }

  /// Returns the clock repair, or `nil` if the log needs no repair.
  package func repair() -> ClockRepair? {
    var repair = ClockRepair()
    // The fastest channel determines the steps most precisely.
    let order = channels.indices.filter { !channels[$0].breaks.isEmpty }.sorted {
      channels[$0].interval < channels[$1].interval
    }
    for index in order {
      let channel = channels[index]
      let areHabits = channel.breaks.count { $0.old - $0.new < Self.smallStep } > 2
      var steps: [(ordinal: Int, offset: Double)] = []
      for place in channel.breaks where !channel.isMisplaced(place) {
        let step = place.old - place.new
        if areHabits, step < Self.smallStep { continue }
        let own = Self.modulus(place) ?? step + channel.interval
        let known = repair.jumps.indices.first { $0 >= steps.count && abs(repair.jumps[$0].offset - own) < 1 }
        if known == nil {
          repair.jumps.append((own, place.line, isModulus: Self.modulus(place) != nil))
        }
        steps.append((place.ordinal, repair.jumps[known ?? repair.jumps.count - 1].offset))
      }
      if !steps.isEmpty { repair.steps[index] = steps }
    }
    return repair.jumps.isEmpty ? nil : repair
  }

  /// Returns the modulus of a clock that restarts at a break, in seconds, or `nil` if it matches no known modulus.
  private static func modulus(_ place: Break) -> Double? {
    moduli.first { abs(place.old - $0) < nearness && (-0.001..<nearness).contains(place.new) }
  }
}

extension ClockJumpDetector.Channel {
  /// Adds a sample that follows its predecessor without a hole, as almost all do: the same as `add`, but in less time.
  ///
  /// - Returns: `false` for any other sample, which is not added.
  @inline(__always)
  fileprivate mutating func advance(to time: Double) -> Bool {
    let ahead = time - last
    let next = interval + 0.05 * (ahead - interval)
    // The comparisons are false for NaN.
    guard ahead > 0, ahead < ClockJumpDetector.gap, ahead <= ClockJumpDetector.minimumStepSize * next, interval > 0,
      step == nil
    else { return false }
    (interval, last, coveredEnd) = (next, time, time)
    count += 1
    laterCount += 1
    return true
  }

  fileprivate mutating func add(raw sample: SensorSample) {
    let time = sample.time
    defer {
      count += 1
      last = time
    }
    guard count > 0 else {
      (covered, coveredEnd) = ([(time, time)], time)
      return
    }
    let ahead = time - last
    if ahead < 0 { olderCount += 1 } else if ahead > 0 { laterCount += 1 }
    if let found = step {
      if time >= found.old || ahead < 0 {
        // The time is back at its previous value: the samples in between were late.
        step = nil
      } else {
        followers += 1
        if followers == ClockJumpDetector.minimumFollowerCount {
          breaks.append(found)
          step = nil
        }
      }
    } else if interval > 0, ahead < -ClockJumpDetector.minimumStepSize * interval {
      step = (count, old: last, new: time, sample.line)
      followers = 0
    }
    if ahead > 0, ahead < ClockJumpDetector.gap {
      interval = interval == 0 ? ahead : interval + 0.05 * (ahead - interval)
    }
    cover(time, ahead)
  }

  private mutating func cover(_ time: Double, _ ahead: Double) {
    // A block of rows may be missing in a hole and stand elsewhere in the file.
    let hole =
      interval > 0 ? min(ClockJumpDetector.gap, ClockJumpDetector.minimumStepSize * interval) : ClockJumpDetector.gap
    if ahead >= 0, ahead <= hole {
      coveredEnd = time
    } else if covered.count < ClockJumpDetector.maximumSegmentCount {
      covered[covered.count - 1].end = coveredEnd
      covered.append((time, time))
      coveredEnd = time
    }
  }

  /// Returns whether the samples after a step back belong into a hole of the earlier samples, or right before their
  /// beginning: the rows are in a wrong order, and the clock has no step.
  fileprivate func isMisplaced(_ place: ClockJumpDetector.Break) -> Bool {
    guard let index = covered.firstIndex(where: { $0.start == place.new }) else { return false }
    let before = covered[..<index]
    var run = covered[index]
    if index == covered.count - 1 { run.end = coveredEnd }
    let slack = 2 * interval
    let overlaps = before.contains { $0.start < run.end - slack && run.start < $0.end - slack }
    guard !overlaps else { return false }
    let follows = before.contains { $0.start >= run.end - slack && $0.start - run.end < ClockJumpDetector.seam }
    let isInHole = before.contains { $0.end <= run.start + slack } && before.contains { $0.start >= run.end - slack }
    return follows || isInHole
  }
}

/// Converts the times of a log whose clock restarted or was set back to one clock that only advances.
///
/// After a restart, the times continue from the clock's largest value. After a clock was set back, the first sample
/// follows the last one by the usual interval, as the actual interval is unknown.
package struct ClockRepair: Sendable {
  /// The offsets that are added to the times after each jump, in seconds, and the lines of the jumps.
  fileprivate var jumps: [(offset: Double, line: UInt32, isModulus: Bool)] = []
  /// The additional offset by channel, from the sample with the given index on.
  fileprivate var steps: [Int: [(ordinal: Int, offset: Double)]] = [:]
  private var counts = [Int](repeating: 0, count: SensorChannel.allCases.count)
  private var auxiliary: [AuxiliaryChannel: (last: Double, passed: Int)] = [:]

  fileprivate init() {}

  /// Shifts samples, in the order of the file. All samples must pass through this function.
  package mutating func apply(to batch: inout [SensorSample]) {
    for index in batch.indices where batch[index].time.isFinite {
      let channel = Int(batch[index].channel.rawValue)
      let ordinal = counts[channel]
      counts[channel] += 1
      guard let own = steps[channel] else { continue }
      for step in own where step.ordinal <= ordinal { batch[index].time += step.offset }
    }
  }

  /// Shifts samples of other channels, in the order of the file: a channel passes a jump when it steps back by at least
  /// half of it.
  package mutating func apply(to batch: inout [AuxiliarySample]) {
    for index in batch.indices where batch[index].time.isFinite {
      var state = auxiliary[batch[index].channel] ?? (last: -Double.infinity, passed: 0)
      let time = batch[index].time
      if state.passed < jumps.count, state.last - time > jumps[state.passed].offset / 2 { state.passed += 1 }
      state.last = time
      auxiliary[batch[index].channel] = state
      batch[index].time += jumps[..<state.passed].reduce(0) { $0 + $1.offset }
    }
  }

  /// The sentences for the user, one per jump; at most eight, and the number of further jumps.
  package var warnings: [String] {
    jumps.prefix(8).map { jump in
      let place = jump.line > 0 ? " in line \(jump.line)" : ""
      return jump.isModulus
        ? "the clock wraps after \(jump.offset) s\(place): the following times are shifted by that"
        : "the clock is set back by \((jump.offset * 1000).rounded() / 1000) s\(place): the following samples are assumed to continue at "
          + "their usual interval"
    } + (jumps.count > 8 ? ["the clock is set back \(jumps.count - 8) more times"] : [])
  }
}
