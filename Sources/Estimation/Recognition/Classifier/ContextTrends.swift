/// The air pressure of the last seconds, and the vertical speed computed from it.
struct PressureTrend: Sendable, Codable {
  /// The duration of the evaluated samples, and its minimum, in seconds.
  private static let span = 7.0
  private static let minimumSpan = 3.0
  private static let minimumCount = 4

  private var samples: [(time: Double, altitude: Double)] = []

  init() {}

  mutating func append(_ pressure: Double, at time: Double) {
    // The range of valid pressures, in kPa, from an aeroplane's cabin to the deepest valley.
    guard time.isFinite, (10...120).contains(pressure), samples.last.map({ $0.time < time }) ?? true,
      let altitude = StandardAtmosphere.altitude(pressure: pressure)
    else { return }
    // Only differences matter.
    samples.append((time, altitude))
    samples.removeAll { $0.time < time - Self.span - 3 }
  }

  /// Returns the upward vertical speed, in m/s, as the least-squares slope, or `nil` if there are too few samples.
  func verticalSpeed(to end: Double) -> Double? {
    let used = samples.filter { $0.time <= end && $0.time > end - Self.span }
    guard used.count >= Self.minimumCount, let first = used.first, let last = used.last,
      last.time - first.time >= Self.minimumSpan
    else { return nil }
    let n = Double(used.count)
    let time = used.reduce(0) { $0 + $1.time } / n
    let altitude = used.reduce(0) { $0 + $1.altitude } / n
    let moment = used.reduce(0) { $0 + ($1.time - time) * ($1.altitude - altitude) }
    let inertia = used.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
    return moment / inertia
  }

  init(from decoder: any Decoder) throws {
    samples = try [[Double]](from: decoder).filter { $0.count == 2 }.map { ($0[0], $0[1]) }
  }

  func encode(to encoder: any Encoder) throws { try samples.map { [$0.time, $0.altitude] }.encode(to: encoder) }
}

/// The ground speed of the last seconds.
struct SpeedTrend: Sendable, Codable {
  private static let span = 8.0

  private var times: [Double] = []
  private var speeds: [Double] = []

  mutating func append(_ speed: Double, at time: Double) {
    // In m/s; a negative speed is unknown.
    guard time.isFinite, (0...400).contains(speed), times.last.map({ $0 <= time }) ?? true else { return }
    let old = times.count { $0 < time - Self.span }
    times.removeFirst(old)
    speeds.removeFirst(old)
    times.append(time)
    speeds.append(speed)
  }

  /// Returns the mean speed in a time interval, in m/s, or `nil` if it contains no sample.
  func mean(from start: Double, to end: Double) -> Double? {
    var (sum, count) = (0.0, 0)
    for (index, time) in times.enumerated() where time > start && time <= end {
      sum += speeds[index]
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }
}
