internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// Collects the rows of a fusion for a report: numbers are added to a table of traces, flags and pauses become time
/// intervals.
final class RowCollector: TableWriter {
  /// The flags of the rows, each with its intervals.
  private(set) var flags: [(flag: AttitudeFlags, name: String, spans: SpanCollector)]
  private(set) var table: TraceTable
  /// The reliability of each second.
  private(set) var trust = TrustCollector()
  /// The attitude of every row if other filters are compared with it; otherwise empty.
  private(set) var attitudes: [SIMD4<Float>] = []
  private(set) var attitudeTimes: [Double] = []
  var rowCount: Int { table.rowCount }

  private let width: Int
  private let time: Int
  private let status: Int?
  /// The indices of pitch and yaw, and of the three standard deviations, or `nil` if a column is missing.
  private let angles: [Int]?
  private let sigmas: [Int]?
  private let quaternion: [Int]?
  /// The indices of the values that are added to the table unchanged.
  private let plain: [Int]
  /// The elements of `plain` that are test ratios, those that are variances, and all of measurements.
  private let ratios: Set<Int>
  private let variances: Set<Int>
  private let outcomes: Set<Int>
  /// The last value of each outcome of a measurement, with its time.
  private var lastOutcomes: [Int: (value: Double, time: Double)] = [:]
  private let keepsAttitudes: Bool
  private let needsNorth: Bool
  private let heading: Int?
  /// The indices of gravity and user acceleration, or `nil` if a column is missing.
  private let acceleration: [Int]?
  private var row: [Double] = []

  /// The name of the column with the length of the acceleration, gravity included.
  static let accelerationSize = "accelerationSize"
  /// The largest test ratio that is drawn; larger ones are limited to it.
  static let largestRatio = 5.0
  /// The time for which the outcome of a measurement is drawn, in seconds.
  private static let outcomeDuration = 1.0
  /// Columns whose values represent a state at one time, and whose extremes over several times would not be a valid
  /// state.
  private static let sampled: Set<String> = [
    "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw", "heading", "course",
    "longitude",
  ]

  /// Creates a collector.
  ///
  /// - Parameters:
  ///   - gap: The time between two rows above which nothing is drawn between them, in seconds.
  ///   - keepsAttitudes: Whether other filters will be compared with these rows.
  ///   - needsNorth: Whether the frame's X points north.
  init(columns: [FusedColumn], gap: Double, limit: Int, keepsAttitudes: Bool, needsNorth: Bool) {
    let names = columns.map(\.name)
    func places(_ wanted: [String]) -> [Int]? {
      let found = wanted.compactMap(names.firstIndex)
      return found.count == wanted.count ? found : nil
    }
    width = columns.count
    time = names.firstIndex(of: "time") ?? 0
    status = names.firstIndex(of: "status")
    angles = places(["pitch", "yaw"])
    sigmas = places(["attitudeSigmaX", "attitudeSigmaY", "attitudeSigmaZ"])
    acceleration = places(
      ["gravityX", "gravityY", "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ"])
    quaternion = places(["quaternionX", "quaternionY", "quaternionZ", "quaternionW"])
    let ages = Set(AuxiliaryChannel.allCases.map(\.ageName))
    plain = columns.indices.filter { !["time", "status"].contains(names[$0]) && !ages.contains(names[$0]) }
    let traced = plain.map { names[$0] }
    func elements(_ part: String) -> Set<Int> { Set(traced.indices.filter { traced[$0].contains(part) }) }
    (ratios, variances) = (elements("TestRatio"), elements("InnovationVariance"))
    outcomes = elements("TestRatio").union(elements("Innovation"))
    flags = AttitudeFlags.names.map { ($0.flag, $0.name, SpanCollector()) }
    (self.keepsAttitudes, self.needsNorth) = (keepsAttitudes, needsNorth)
    var traces = plain.map {
      TraceTable.Column(
        name: names[$0].replacing("InnovationVariance", with: "InnovationSigma"), unit: columns[$0].unit,
        thinning: Self.sampled.contains(names[$0]) ? .sampled : .extremes)
    }
    if angles != nil, sigmas != nil {
      traces += ["rollSigma", "pitchSigma", "yawSigma"].map { TraceTable.Column(name: $0, unit: "rad") }
    }
    if acceleration != nil { traces.append(TraceTable.Column(name: Self.accelerationSize, unit: "g")) }
    table = TraceTable(columns: traces, limit: limit, gap: gap)
    heading = plain.firstIndex { names[$0] == "heading" }
    row = Array(repeating: .nan, count: traces.count)
  }

  func append(_ rows: UnsafeBufferPointer<Double>) {
    for start in stride(from: 0, to: rows.count, by: width) {
      take(UnsafeBufferPointer(rebasing: rows[start..<start + width]))
    }
  }

  private func take(_ values: UnsafeBufferPointer<Double>) {
    let time = values[time]
    if let status {
      let set = AttitudeFlags(rawValue: UInt16(exactly: values[status]) ?? 0)
      let sigma = sigmas.map { (x: values[$0[0]], y: values[$0[1]], z: values[$0[2]]) } ?? (.nan, .nan, .nan)
      trust.add(
        time,
        AttitudeTrust(
          set, sigmas: sigma, isOutlier: ratios.contains { values[plain[$0]] > 1 },
          lacksNorth: needsNorth && heading.map { values[plain[$0]] < 0 } ?? false))
      for index in flags.indices { flags[index].spans.add(set.contains(flags[index].flag), at: time) }
    }
    for (index, column) in plain.enumerated() { row[index] = values[column] }
    // A heading of −1 means no heading.
    if let heading, row[heading] < 0 { row[heading] = .nan }
    for index in outcomes { row[index] = outcome(row[index], at: time, index) }
    if let angles, let sigmas {
      let sigma = AngleSigmas(
        pitch: values[angles[0]], yaw: values[angles[1]], x: values[sigmas[0]], y: values[sigmas[1]],
        z: values[sigmas[2]])
      (row[plain.count], row[plain.count + 1], row[plain.count + 2]) = (sigma.roll, sigma.pitch, sigma.yaw)
    }
    if let acceleration {
      row[row.count - 1] =
        (0..<3).reduce(0) { sum, axis in
          let value = values[acceleration[axis]] + values[acceleration[axis + 3]]
          return sum + value * value
        }.squareRoot()
    }
    table.append(time: time, row)
    if keepsAttitudes, let quaternion {
      attitudeTimes.append(time)
      attitudes.append(
        SIMD4(
          Float(values[quaternion[0]]), Float(values[quaternion[1]]), Float(values[quaternion[2]]),
          Float(values[quaternion[3]])))
    }
  }

  /// Returns the outcome of a measurement. Measurements occur in some rows only: each is drawn until the next one.
  private func outcome(_ value: Double, at time: Double, _ index: Int) -> Double {
    if !value.isNaN {
      let shown = ratios.contains(index) ? min(value, Self.largestRatio) : value
      lastOutcomes[index] = (variances.contains(index) ? shown.squareRoot() : shown, time)
    }
    guard let last = lastOutcomes[index], time - last.time <= Self.outcomeDuration else { return .nan }
    return last.value
  }

  func flush() {}

  func close() { table.finish() }
}
