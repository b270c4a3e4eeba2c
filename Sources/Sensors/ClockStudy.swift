/// Finds out, from the times of a log in the order of its file, where its clock began anew or was set back.
///
/// A counter of a device begins anew after its largest value (2³² µs are 71.6 minutes), a time of day at midnight, and a
/// phone's clock may be set while it records. The samples behind such a place are later than those before, whatever their
/// stamps say. Samples that are merely out of order are another thing: single ones, and blocks that belong into a hole
/// or before the log's beginning, are left to be sorted.
package struct ClockStudy: Sendable {
  /// A place where a channel's times step back and go on from there.
  fileprivate struct Break: Sendable {
    /// Counted from 0 among the channel's samples.
    var ordinal: Int
    /// Seconds: the last time before, and the first behind.
    var old: Double
    var new: Double
    var line: UInt32
  }

  fileprivate struct Channel: Sendable {
    var count = 0
    /// Samples older, and samples later, than their predecessor.
    var (olderCount, laterCount) = (0, 0)
    var last = Double.nan
    /// The usual time between samples, seconds; 0 until it is known.
    var interval = 0.0
    /// A step back that may be one of the clock, and how many samples have followed it.
    var step: Break?
    var followers = 0
    var breaks: [Break] = []
    /// What the samples cover, without holes: the beginnings and ends in the order of the file.
    var covered: [(start: Double, end: Double)] = []
  }

  /// Samples that must follow a step back before it is taken for one of the clock.
  fileprivate static let fewestFollowers = 16
  /// Steps smaller than so many usual intervals are jitter.
  fileprivate static let leastSteps = 5.0
  /// Stretches that are kept of a channel: a log that is broken more often is sorted, and its gaps are told.
  fileprivate static let mostStretches = 1 << 12
  fileprivate static let gap = 0.5
  /// Smaller steps back, seconds, that come more often than twice are a habit of the recorder and not its clock's.
  private static let smallStep = 1.0
  /// Seconds between two pieces of one log that stand in the wrong order.
  fileprivate static let seam = 2.0

  /// Seconds after which clocks begin anew: 2³² and 2³¹ µs, ms and ns, 2¹⁶ ms, a day, half a day, an hour.
  static let moduli = [
    4_294.967296, 2_147.483648, 4_294_967.296, 2_147_483.648, 4.294967296, 2.147483648, 65.536, 86_400, 43_200, 3_600,
  ]
  /// How near to a modulus and to 0 the times around it are, seconds.
  private static let nearness = 1.0

  private var channels = [Channel](repeating: Channel(), count: SensorChannel.allCases.count)
  /// Whether some channel has stepped back and gone on from there: the log should be looked at to its end.
  package private(set) var isSuspicious = false

  package init() {}

  /// Takes samples in the order of the file.
  package mutating func look(at batch: [SensorSample]) {
    for sample in batch where sample.time.isFinite {
      channels[Int(sample.channel.rawValue)].look(at: sample)
      if !channels[Int(sample.channel.rawValue)].breaks.isEmpty { isSuspicious = true }
    }
  }

  /// Whether the newest sample comes first, and the oldest one last, in every channel.
  package var isReversed: Bool {
    let used = channels.filter { $0.count > 0 }
    return !used.isEmpty && used.allSatisfy { 2 * $0.olderCount > $0.count && 100 * $0.laterCount <= $0.olderCount }
  }

  /// What is to be done about the clock; nil where nothing is.
  package func repair() -> ClockRepair? {
    var repair = ClockRepair()
    // The fastest channel tells the steps most exactly.
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
          repair.jumps.append(.init(offset: own, line: place.line, isModulus: Self.modulus(place) != nil))
        }
        steps.append((place.ordinal, repair.jumps[known ?? repair.jumps.count - 1].offset))
      }
      if !steps.isEmpty { repair.steps[index] = steps }
    }
    return repair.jumps.isEmpty ? nil : repair
  }

  /// The time after which a clock begins anew that does so at a place; nil where it is none that is known.
  private static func modulus(_ place: Break) -> Double? {
    moduli.first { abs(place.old - $0) < nearness && (-0.001..<nearness).contains(place.new) }
  }
}

extension ClockStudy.Channel {
  fileprivate mutating func look(at sample: SensorSample) {
    let time = sample.time
    defer {
      count += 1
      last = time
    }
    guard count > 0 else {
      covered = [(time, time)]
      return
    }
    let ahead = time - last
    if ahead < 0 { olderCount += 1 } else if ahead > 0 { laterCount += 1 }
    if let found = step {
      if time >= found.old || ahead < 0 {
        // Back where it was: what came between was late.
        step = nil
      } else {
        followers += 1
        if followers == ClockStudy.fewestFollowers {
          breaks.append(found)
          step = nil
        }
      }
    } else if interval > 0, ahead < -ClockStudy.leastSteps * interval {
      step = ClockStudy.Break(ordinal: count, old: last, new: time, line: sample.line)
      followers = 0
    }
    if ahead > 0, ahead < ClockStudy.gap {
      interval = interval == 0 ? ahead : interval + 0.05 * (ahead - interval)
    }
    cover(time, ahead)
  }

  private mutating func cover(_ time: Double, _ ahead: Double) {
    // A hole is where a block of rows may be missing that stands elsewhere.
    let hole = interval > 0 ? min(ClockStudy.gap, ClockStudy.leastSteps * interval) : ClockStudy.gap
    if ahead >= 0, ahead <= hole {
      covered[covered.count - 1].end = time
    } else if covered.count < ClockStudy.mostStretches {
      covered.append((time, time))
    }
  }

  /// Whether what follows a step back belongs into a hole of what came before, or right before its beginning: rows in a
  /// wrong order, and no step of the clock.
  fileprivate func isMisplaced(_ place: ClockStudy.Break) -> Bool {
    guard let index = covered.firstIndex(where: { $0.start == place.new }) else { return false }
    let (run, before) = (covered[index], covered[..<index])
    let slack = 2 * interval
    let overlaps = before.contains { $0.start < run.end - slack && run.start < $0.end - slack }
    guard !overlaps else { return false }
    let follows = before.contains { $0.start >= run.end - slack && $0.start - run.end < ClockStudy.seam }
    let isInHole = before.contains { $0.end <= run.start + slack } && before.contains { $0.start >= run.end - slack }
    return follows || isInHole
  }
}

/// Puts the times of a log whose clock began anew or was set back on one clock that only goes forward.
///
/// A clock that begins anew goes on by what it counts to; behind one that was set, the first sample comes the usual time
/// after the last one, as nothing tells how long it really was.
package struct ClockRepair: Sendable {
  fileprivate struct Jump: Sendable {
    /// Seconds to be added behind it.
    var offset: Double
    var line: UInt32
    var isModulus: Bool
  }

  fileprivate var jumps: [Jump] = []
  /// By channel: from which sample on, counted from 0, how much more is added.
  fileprivate var steps: [Int: [(ordinal: Int, offset: Double)]] = [:]
  private var counts = [Int](repeating: 0, count: SensorChannel.allCases.count)
  private var auxiliary: [AuxiliaryChannel: (last: Double, passed: Int)] = [:]

  fileprivate init() {}

  /// Moves samples, in the order of the file; to be called with all of them.
  package mutating func apply(to batch: inout [SensorSample]) {
    for index in batch.indices where batch[index].time.isFinite {
      let channel = Int(batch[index].channel.rawValue)
      let ordinal = counts[channel]
      counts[channel] += 1
      guard let own = steps[channel] else { continue }
      for step in own where step.ordinal <= ordinal { batch[index].time += step.offset }
    }
  }

  /// Moves samples of other channels, in the order of the file: each channel passes a jump where it steps back by most of it.
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

  /// A sentence for each jump, for the user; at most eight.
  package var warnings: [String] {
    jumps.prefix(8).map { jump in
      let place = jump.line > 0 ? " in line \(jump.line)" : ""
      return jump.isModulus
        ? "the clock begins anew after \(jump.offset) s\(place): the times behind it go on by that"
        : "the clock is set back by \((jump.offset * 1000).rounded() / 1000) s\(place): the samples behind it are taken to follow at "
          + "their usual interval"
    } + (jumps.count > 8 ? ["the clock is set back \(jumps.count - 8) more times"] : [])
  }
}
