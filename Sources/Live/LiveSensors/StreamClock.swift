internal import InertialSensors

/// Distinguishes jumps of a stream's clock from single lines with a wrong or late timestamp.
///
/// A line far from the previous lines is held until the next ones arrive: if they continue from it, the clock has
/// jumped; if they continue from the earlier lines, that line alone was wrong. Lines close to the previous ones, which
/// is nearly all lines, are not delayed.
struct StreamClock {
  /// The samples of a line, with one timestamp.
  typealias Line = (motion: [SensorSample], auxiliary: [AuxiliarySample])

  /// The lines that are released, after a jump of the clock to theirs, if it is not `nil`; and the lines whose timestamps
  /// match no other line.
  typealias Release = (jump: StreamSource.ClockJump?, lines: [Line], outliers: [Line])

  /// The maximum lateness of a line that is not a jump, in seconds.
  private let lateness: Double
  /// The step forward after which the next line is awaited, and after which it is another clock, in seconds: no sensor
  /// pauses for this long.
  private static let pause = 10.0
  private static let day = 86_400.0
  /// The number of consecutive lines at an earlier time that confirm a jump back.
  private static let proof = 3

  private var newest: Double?
  private var held: [Line] = []

  /// Creates a detector.
  ///
  /// - Parameter horizon: The maximum time by which a sample may arrive out of order, in seconds.
  init(horizon: Double) { lateness = 1 + horizon }

  mutating func take(_ line: Line) -> Release {
    guard let time = Self.time(of: line), time.isFinite else { return (nil, [line], []) }
    guard let newest else {
      self.newest = time
      return (nil, [line], [])
    }
    guard let first = held.first.flatMap(Self.time), let last = held.last.flatMap(Self.time) else {
      guard isNear(time, newest) else {
        held = [line]
        return (nil, [], [])
      }
      self.newest = max(newest, time)
      return (nil, [line], [])
    }
    if first > newest { return settleForward(line, time, newest, first) }
    if time >= last, time - last < Self.pause, time < newest - lateness {
      held.append(line)
      guard held.count == Self.proof else { return (nil, [], []) }
      return jump(from: newest, to: first, at: time)
    }
    // The lines were late; the component that sorts the samples reports this.
    let late = finish()
    return (nil, late + take(line).lines, [])
  }

  /// Returns the lines that are still held, as at the end of the stream.
  mutating func finish() -> [Line] {
    defer { held = [] }
    return held
  }

  private mutating func settleForward(_ line: Line, _ time: Double, _ newest: Double, _ first: Double) -> Release {
    guard time >= first - lateness else {
      let outliers = finish()
      return (nil, take(line).lines, outliers)
    }
    guard first - newest < Self.day else {
      held.append(line)
      return jump(from: newest, to: first, at: max(first, time))
    }
    self.newest = first
    let lines = finish()
    return (nil, lines + take(line).lines, [])
  }

  private mutating func jump(from: Double, to: Double, at time: Double) -> Release {
    newest = time
    return (StreamSource.ClockJump(from: from, to: to), finish(), [])
  }

  private static func time(of line: Line) -> Double? { line.motion.first?.time ?? line.auxiliary.first?.time }

  private func isNear(_ time: Double, _ newest: Double) -> Bool {
    time >= newest - lateness && time <= newest + Self.pause
  }
}
