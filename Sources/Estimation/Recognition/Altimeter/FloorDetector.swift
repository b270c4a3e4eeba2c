/// Detects floor changes in barometric altitudes, and distinguishes stairs from lifts by the steps.
///
/// A floor change is a segment in which the altitude changes in one direction faster than with weather and drafts. It
/// may pause for the duration of a landing. An event is reported once the floor change is certainly over; its times
/// are corrected for the lag of the barometer.
package struct FloorDetector: Sendable, Codable {
  /// The thresholds of floor detection.
  package struct Parameters: Sendable, Codable, Hashable {
    /// The minimum vertical speed of a floor change, in m/s; weather and drafts are slower. Slow stairs are 0.15,
    /// weather is below 0.02. Default: 0.1.
    package var minimumSpeed = 0.1
    /// The maximum duration of a pause, for instance on a landing, in seconds. Default: 6.
    package var maximumPause = 6.0
    /// The height of a floor, in m. Default: 3 (HealthKit's "about 3 m or 10 ft").
    package var floorHeight = 3.0
    /// The minimum height of a complete floor change, as a fraction of a floor. Default: 0.5, at which the number of
    /// floors rounds to 1.
    package var minimumFraction = 0.5
    /// The minimum height of a floor change with steps that is cut off by the end of the log, in m: three stairs.
    /// Default: 0.5.
    package var minimumStairsHeight = 0.5
    /// The minimum height of a floor change without steps, or without known motion, in m, even if it is cut off by
    /// the end of the log. It exceeds getting up or lying down, which moves a device between ear and floor. Default:
    /// 1.7.
    package var minimumLiftHeight = 1.7
    /// The minimum height of a complete floor change, in standard deviations of the barometer's noise, for instance
    /// in wind. Default: 4.
    package var significance = 4.0
    /// The minimum fraction of seconds with steps of a floor change on foot. Default: 0.5.
    package var steppingFraction = 0.5
    /// The maximum speed of climbing a floor or more on foot, in m/s. Default: 1.
    package var fastestClimb = 1.0
    /// The maximum duration of a lift ride, in seconds; a longer change is a hill. Default: 180.
    package var maximumRideDuration = 180.0

    package init() {}

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case minimumSpeed = "leastSpeed", maximumPause = "longestPause", floorHeight
      case minimumFraction = "leastShare", minimumStairsHeight = "leastClimb", minimumLiftHeight = "leastRide"
      case significance, steppingFraction = "steppingShare", fastestClimb, maximumRideDuration = "longestRide"
    }
  }

  /// The minimum tolerance of equal altitudes, in m; a tenth of the height if that is larger.
  private static let nearby = 0.3
  /// The maximum factor between the barometer's actual delay in altitude and the one computed from its slope, as its
  /// lag is not exactly known.
  private static let maximumDelayFactor = 1.5

  package let parameters: Parameters
  /// The lag of the barometer, in seconds.
  package var barometerLag = 0.0

  private var altitudes = AltitudeBins()
  private var stepping = SteppingDetector()
  private var verdicts: [SteppingVerdict] = []
  private var climb: Climb?
  /// The end of the last floor change, in seconds, or `nil` before the first.
  private var lastEnd: Double?

  private struct SteppingVerdict: Sendable, Codable {
    var time: Double
    var steps: Bool
  }

  private enum ClimbEnd {
    /// The altitude has been constant since, so the newest altitude is the most accurate.
    case rest
    /// The altitude changes in the other direction.
    case turn
    /// The log ends.
    case log
    /// A gap in the log, after which the person can be anywhere.
    case gap
  }

  /// A floor change in progress.
  private struct Climb: Sendable, Codable {
    /// The direction: 1 or −1.
    var sign: Double
    var start: AltitudeBins.Bin
    /// The estimated altitude at the start, in m.
    var startAltitude: Double
    var startTime: Double
    /// The highest or lowest cell so far.
    var extreme: AltitudeBins.Bin
    /// The time of the last movement, in seconds.
    var lastMoving: Double
    /// The newest slope of the barometer in the direction of the floor change, in m/s.
    var slope: Double
    /// The largest noise of the barometer during the floor change, in m.
    var noise = 0.0
  }

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Adds the vertical acceleration, in m/s², up positive, at a time in seconds.
  @inline(__always)
  package mutating func update(verticalAcceleration value: Double, at time: Double) {
    // A single test for both: a sum is finite only if its terms are.
    guard abs(value + time) < .infinity, stepping.extend(value, at: time) else { return }
    look(value, at: time)
  }

  private mutating func look(_ value: Double, at time: Double) {
    guard let steps = stepping.update(value, at: time) else { return }
    verdicts.append(SteppingVerdict(time: time, steps: steps))
    // Outside a floor change, only the verdicts are kept in which a floor change may have started.
    if climb == nil, verdicts.count > 120 { verdicts.removeFirst(verdicts.count - 40) }
  }

  /// Adds a barometric altitude, its filtered value and the standard deviation of its noise, all in m. Returns the
  /// floor change that it ends.
  package mutating func update(altitude: Double, filtered: Double, noise: Double = 0, at time: Double) -> FloorEvent? {
    guard altitude.isFinite, filtered.isFinite, time.isFinite else { return nil }
    if let maximum = climb?.noise, noise > maximum { climb?.noise = noise }
    guard altitudes.append(altitude: altitude, filtered: filtered, at: time) else { return nil }
    return follow()
  }

  /// Ends the input and returns the last floor changes.
  package mutating func finish() -> [FloorEvent] {
    let event = altitudes.finish() ? follow() : nil
    return [event, endWay(.log)].compactMap { $0 }
  }

  /// Processes the newest cell.
  private mutating func follow() -> FloorEvent? {
    guard let newest = altitudes.cells.last else { return nil }
    if altitudes.hasGap { return endWay(.gap) }
    let slope = altitudes.slope ?? 0
    let sign: Double = abs(slope) < parameters.minimumSpeed ? 0 : (slope > 0 ? 1 : -1)
    guard let current = climb else {
      if sign != 0 { begin(sign, newest, slope: abs(slope)) }
      return nil
    }
    climb?.slope = max(0, current.sign * slope)
    if sign == current.sign {
      climb?.lastMoving = newest.time
      if current.sign * (newest.altitude - current.extreme.altitude) >= 0 { climb?.extreme = newest }
      return nil
    }
    if sign == -current.sign { climb?.slope = 0 }
    if sign == -current.sign || newest.time - current.lastMoving > parameters.maximumPause {
      let event = endWay(sign == 0 ? .rest : .turn)
      if sign != 0 { begin(sign, newest, slope: abs(slope)) }
      return event
    }
    if current.sign * (newest.altitude - current.extreme.altitude) > 0 { climb?.extreme = newest }
    return nil
  }

  private mutating func begin(_ sign: Double, _ newest: AltitudeBins.Bin, slope: Double) {
    let start = altitudes.turningPoint(before: newest, sign: sign)
    let time = max(start.time - barometerLag, altitudes.cells[0].time)
    climb = Climb(
      sign: sign, start: start, startAltitude: altitudes.filtered(at: time), startTime: time, extreme: newest,
      lastMoving: newest.time, slope: slope)
  }

  /// - Parameter ending: The reason for the end.
  private mutating func endWay(_ ending: ClimbEnd) -> FloorEvent? {
    guard let climb else { return nil }
    self.climb = nil
    defer { if verdicts.count > 40 { verdicts.removeFirst(verdicts.count - 40) } }
    let last = ending == .rest ? altitudes.cells[altitudes.cells.count - 1] : climb.extreme
    // A low-pass never overshoots its input, and its slope determines its delay in altitude.
    let seen = climb.sign * (climb.extreme.altitude - climb.start.altitude)
    let behind = barometerLag * climb.slope
    let height = min(
      max(seen, climb.sign * (last.filtered - climb.startAltitude)), seen + Self.maximumDelayFactor * behind)
    let near = min(max(Self.nearby, 0.1 * height), 0.4 * height)
    let departure =
      altitudes.lastTime(from: climb.startTime, near: climb.startAltitude, within: near) ?? climb.startTime
    let arrival = max(
      altitudes.firstTime(upTo: last.time, near: last.filtered, within: near) ?? last.time, departure + 1)
    // The first and the last part take as long as their height at the mean speed.
    let part = height > 0 ? (arrival - departure) * near / (height - 2 * near) : 0
    let start = max(departure - part, climb.startTime, lastEnd ?? -.infinity)
    let end = min(arrival + part, last.time)
    var event = FloorEvent(
      start: start, end: end, direction: climb.sign > 0 ? .up : .down, height: height,
      // A limit for absurd heights, above the floors of any building.
      floors: Int(min(height / parameters.floorHeight, 10_000).rounded()), kind: .unknown,
      steppingFraction: steppingFraction(from: start, to: end))
    event.kind = kind(of: event)
    // A slope, for instance of skis or a road, has no floors.
    if event.kind == .unknown, event.steppingFraction != nil { event.floors = 0 }
    guard height >= minimumHeight(of: event, ending, noise: climb.noise) else { return nil }
    lastEnd = end
    return event
  }

  /// Returns the minimum height at which a floor change is reported, in m.
  private func minimumHeight(of event: FloorEvent, _ ending: ClimbEnd, noise: Double) -> Double {
    // A person who lies down or gets up before a pause of the recording does not change floors.
    if ending == .gap { return max(parameters.floorHeight, parameters.significance * noise) }
    let hasSteps = event.steppingFraction.map { $0 >= parameters.steppingFraction } ?? false
    let minimumHeight = hasSteps ? parameters.minimumStairsHeight : parameters.minimumLiftHeight
    if ending == .log { return minimumHeight }
    return max(parameters.minimumFraction * parameters.floorHeight, parameters.significance * noise, minimumHeight)
  }

  private func kind(of event: FloorEvent) -> FloorEvent.Kind {
    guard let fraction = event.steppingFraction else { return .unknown }
    if fraction >= parameters.steppingFraction {
      return event.meanSpeed <= parameters.fastestClimb ? .stairs : .unknown
    }
    return event.end - event.start <= parameters.maximumRideDuration ? .lift : .unknown
  }

  /// Returns the fraction of verdicts with steps, or `nil` if the motion is unknown for a large part of the time.
  private func steppingFraction(from start: Double, to end: Double) -> Double? {
    // A verdict covers the previous 2.56 s, so it counts at the middle of that window.
    let inside = verdicts.filter { ($0.time - 1.28) >= start && ($0.time - 1.28) <= end }
    guard !inside.isEmpty, Double(inside.count) >= 0.6 * (end - start) else { return nil }
    return Double(inside.count { $0.steps }) / Double(inside.count)
  }
}
