/// Finds the ways between floors in barometric altitudes, and tells stairs from lifts by the steps.
///
/// A way is a stretch in which the altitude changes in one direction faster than weather and drafts do. It may pause for
/// as long as a landing takes. What is found comes when the way is surely over; times are those of the way, the lag of
/// the barometer taken off.
package struct FloorDetector: Sendable {
  /// Physical numbers.
  package struct Parameters: Sendable, Codable, Hashable {
    /// m/s: slower changes are weather or drafts. Slow stairs are 0.15, weather is below 0.02. Default: 0.1.
    package var leastSpeed = 0.1
    /// Seconds that a way may pause, on a landing for instance. Default: 6.
    package var longestPause = 6.0
    /// m between floors. Default: 3 (HealthKit's "about 3 m or 10 ft").
    package var floorHeight = 3.0
    /// Share of a floor from which a whole way is told. Default: 0.5, from where the floors round to 1.
    package var leastShare = 0.5
    /// m of a way with steps that the log ends in, from which it is told: three stairs. Default: 0.5.
    package var leastClimb = 0.5
    /// m of a way without steps, or without known motion, from which it is told, also where the log ends in it: more than
    /// getting up or lying down, which take a device from the ear to the floor. Default: 1.7.
    package var leastRide = 1.7
    /// Standard deviations of the barometer's noise, in wind for instance, that a whole way is above. Default: 4.
    package var significance = 4.0
    /// Share of seconds with steps from which a way was gone. Default: 0.5.
    package var steppingShare = 0.5
    /// m/s: nobody climbs faster for a floor and more. Default: 1.
    package var fastestClimb = 1.0
    /// Seconds of the longest lift ride; a longer way is a hill. Default: 180.
    package var longestRide = 180.0

    package init() {}
  }

  /// m: an altitude so near is the same one, or a tenth of the way.
  private static let nearby = 0.3
  /// How much further than its slope tells a barometer may be behind, its lag not being known exactly.
  private static let mostBehind = 1.5

  package let parameters: Parameters
  /// Seconds by which the barometer follows late.
  package var barometerLag = 0.0

  private var altitudes = AltitudeCells()
  private var stepping = SteppingDetector()
  private var verdicts: [SteppingVerdict] = []
  private var way: Way?

  private struct SteppingVerdict: Sendable {
    var time: Double
    var steps: Bool
  }

  private enum Ending {
    /// The altitude has stayed since, so that the newest one is the surest.
    case rest
    /// The other direction.
    case turn
    /// The end of the log.
    case log
    /// A gap in the log, behind which everything may be elsewhere.
    case gap
  }

  /// A way that goes on.
  private struct Way: Sendable {
    /// 1 or −1.
    var sign: Double
    var start: AltitudeCells.Cell
    /// The true altitude where it began, m.
    var startAltitude: Double
    var startTime: Double
    /// The highest, or lowest, cell so far.
    var extreme: AltitudeCells.Cell
    /// Seconds: when it went on last.
    var lastMoving: Double
    /// m/s, of the barometer: its newest slope in the way's direction.
    var slope: Double
    /// m: the largest noise of the barometer meanwhile.
    var noise = 0.0
  }

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes the vertical acceleration of a time in seconds: m/s², up positive.
  @inline(__always)
  package mutating func update(verticalAcceleration value: Double, at time: Double) {
    // One test for both: a sum is finite where its terms are.
    guard abs(value + time) < .infinity, stepping.extend(value, at: time) else { return }
    look(value, at: time)
  }

  private mutating func look(_ value: Double, at time: Double) {
    guard let steps = stepping.update(value, at: time) else { return }
    verdicts.append(SteppingVerdict(time: time, steps: steps))
    // Where nobody is under way only the verdicts that a way may begin in are kept.
    if way == nil, verdicts.count > 120 { verdicts.removeFirst(verdicts.count - 40) }
  }

  /// Takes an altitude in m by the barometer, the true one as far as it is known better, and the standard deviation of
  /// the first in m; gives the way that has ended by it.
  package mutating func update(altitude: Double, filtered: Double, noise: Double = 0, at time: Double) -> FloorEvent? {
    guard altitude.isFinite, filtered.isFinite, time.isFinite else { return nil }
    if let most = way?.noise, noise > most { way?.noise = noise }
    guard altitudes.append(altitude: altitude, filtered: filtered, at: time) else { return nil }
    return follow()
  }

  /// The ways that end with the log.
  package mutating func finish() -> [FloorEvent] {
    let event = altitudes.finish() ? follow() : nil
    return [event, endWay(.log)].compactMap { $0 }
  }

  /// Looks at the newest cell.
  private mutating func follow() -> FloorEvent? {
    guard let newest = altitudes.cells.last else { return nil }
    if altitudes.hasGap { return endWay(.gap) }
    let slope = altitudes.slope ?? 0
    let sign: Double = abs(slope) < parameters.leastSpeed ? 0 : (slope > 0 ? 1 : -1)
    guard let current = way else {
      if sign != 0 { begin(sign, newest, slope: abs(slope)) }
      return nil
    }
    way?.slope = max(0, current.sign * slope)
    if sign == current.sign {
      way?.lastMoving = newest.time
      if current.sign * (newest.altitude - current.extreme.altitude) >= 0 { way?.extreme = newest }
      return nil
    }
    if sign == -current.sign { way?.slope = 0 }
    if sign == -current.sign || newest.time - current.lastMoving > parameters.longestPause {
      let event = endWay(sign == 0 ? .rest : .turn)
      if sign != 0 { begin(sign, newest, slope: abs(slope)) }
      return event
    }
    if current.sign * (newest.altitude - current.extreme.altitude) > 0 { way?.extreme = newest }
    return nil
  }

  private mutating func begin(_ sign: Double, _ newest: AltitudeCells.Cell, slope: Double) {
    let start = altitudes.turningPoint(before: newest, sign: sign)
    let time = max(start.time - barometerLag, altitudes.cells[0].time)
    way = Way(
      sign: sign, start: start, startAltitude: altitudes.filtered(at: time), startTime: time, extreme: newest,
      lastMoving: newest.time, slope: slope)
  }

  /// - Parameter ending: what has ended the way.
  private mutating func endWay(_ ending: Ending) -> FloorEvent? {
    guard let way else { return nil }
    self.way = nil
    defer { if verdicts.count > 40 { verdicts.removeFirst(verdicts.count - 40) } }
    let last = ending == .rest ? altitudes.cells[altitudes.cells.count - 1] : way.extreme
    // A low-pass never goes further than what it follows, and its slope tells how far it is behind.
    let seen = way.sign * (way.extreme.altitude - way.start.altitude)
    let behind = barometerLag * way.slope
    let height = min(max(seen, way.sign * (last.filtered - way.startAltitude)), seen + Self.mostBehind * behind)
    let near = max(Self.nearby, 0.1 * height)
    let start = altitudes.lastTime(from: way.startTime, near: way.startAltitude, within: near) ?? way.startTime
    let end = max(altitudes.firstTime(upTo: last.time, near: last.filtered, within: near) ?? last.time, start + 1)
    var event = FloorEvent(
      start: start, end: end, direction: way.sign > 0 ? .up : .down, height: height,
      // As many as no building has, where the height of one is absurd.
      floors: Int(min(height / parameters.floorHeight, 10_000).rounded()), kind: .unknown,
      steppingShare: steppingShare(from: start, to: end))
    event.kind = kind(of: event)
    return height >= least(of: event, ending, noise: way.noise) ? event : nil
  }

  /// m from which a way is told.
  private func least(of event: FloorEvent, _ ending: Ending, noise: Double) -> Double {
    // Who lies down, or gets up, before a recording is paused is under no way.
    if ending == .gap { return max(parameters.floorHeight, parameters.significance * noise) }
    let hasSteps = event.steppingShare.map { $0 >= parameters.steppingShare } ?? false
    let least = hasSteps ? parameters.leastClimb : parameters.leastRide
    if ending == .log { return least }
    return max(parameters.leastShare * parameters.floorHeight, parameters.significance * noise, least)
  }

  private func kind(of event: FloorEvent) -> FloorEvent.Kind {
    guard let share = event.steppingShare else { return .unknown }
    if share >= parameters.steppingShare { return event.meanSpeed <= parameters.fastestClimb ? .stairs : .unknown }
    return event.end - event.start <= parameters.longestRide ? .lift : .unknown
  }

  /// nil where the motion is not known for most of the time.
  private func steppingShare(from start: Double, to end: Double) -> Double? {
    // A verdict is about the 2.56 s before it; its middle is what counts.
    let inside = verdicts.filter { ($0.time - 1.28) >= start && ($0.time - 1.28) <= end }
    guard !inside.isEmpty, Double(inside.count) >= 0.6 * (end - start) else { return nil }
    return Double(inside.count { $0.steps }) / Double(inside.count)
  }
}
