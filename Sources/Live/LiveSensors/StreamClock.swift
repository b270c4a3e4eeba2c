internal import InertialSensors

/// Tells a stream's clock that jumps from a line whose time is merely wrong or late.
///
/// A line far from those before it waits for the next ones: where they go on from it, the clock has jumped; where they go
/// on from before, that line alone was wrong. Lines close to those before them, which is nearly all, wait for nothing.
struct StreamClock {
  /// The samples of a line, of one time.
  struct Line {
    var motion: [SensorSample]
    var auxiliary: [AuxiliarySample]

    var time: Double? { motion.first?.time ?? auxiliary.first?.time }
  }

  enum Step {
    case line(Line)
    /// A line whose time nothing agrees with.
    case outlier(Line)
    /// What follows is on a clock that was at `from` and is at `to` now.
    case jump(from: Double, to: Double)
  }

  /// Seconds that a line may be late and is no jump.
  private let lateness: Double
  /// Seconds forward after which the next line is waited for, and after which it is another clock: no sensor pauses so long.
  private static let pause = 10.0
  private static let day = 86_400.0
  /// Lines that go on from an earlier time before that is believed.
  private static let proof = 3

  private var newest: Double?
  private var held: [Line] = []

  /// - Parameter horizon: seconds that a sample may come out of order.
  init(horizon: Double) { lateness = 1 + horizon }

  mutating func take(_ line: Line) -> [Step] {
    guard let time = line.time, time.isFinite else { return [.line(line)] }
    guard let newest else {
      self.newest = time
      return [.line(line)]
    }
    guard let first = held.first?.time, let last = held.last?.time else {
      guard isNear(time, newest) else {
        held = [line]
        return []
      }
      self.newest = max(newest, time)
      return [.line(line)]
    }
    if first > newest { return settleForward(line, time, newest, first) }
    if time >= last, time - last < Self.pause, time < newest - lateness {
      held.append(line)
      guard held.count == Self.proof else { return [] }
      return jump(from: newest, to: first, at: time)
    }
    // They were late, and whoever puts samples in order says so.
    let late = release().map(Step.line)
    return late + take(line)
  }

  /// What waits when nothing more comes.
  mutating func finish() -> [Line] { release() }

  private mutating func settleForward(_ line: Line, _ time: Double, _ newest: Double, _ first: Double) -> [Step] {
    guard time >= first - lateness else {
      let outliers = release().map(Step.outlier)
      return outliers + take(line)
    }
    guard first - newest < Self.day else {
      held.append(line)
      return jump(from: newest, to: first, at: max(first, time))
    }
    self.newest = first
    let lines = release().map(Step.line)
    return lines + take(line)
  }

  private mutating func jump(from: Double, to: Double, at time: Double) -> [Step] {
    newest = time
    return [.jump(from: from, to: to)] + release().map(Step.line)
  }

  private mutating func release() -> [Line] {
    defer { held = [] }
    return held
  }

  private func isNear(_ time: Double, _ newest: Double) -> Bool {
    time >= newest - lateness && time <= newest + Self.pause
  }
}
