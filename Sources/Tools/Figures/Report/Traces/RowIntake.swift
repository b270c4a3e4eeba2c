internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// Takes the rows of a fusion for a report: numbers go to a table of traces, flags and pauses become stretches of time.
final class RowIntake: TableWriter {
  /// What the flags of a row say, each with its stretches.
  private(set) var flags: [(flag: AttitudeFlags, name: String, spans: SpanCollector)]
  /// Times between rows that are longer than a gap.
  private(set) var pauses: [SpanCollector.Span] = []
  private(set) var table: TraceTable
  /// The attitude of every row, where other filters are compared with it; else empty.
  private(set) var attitudes: [SIMD4<Float>] = []
  private(set) var attitudeTimes: [Double] = []
  var rowCount: Int { table.rowCount }

  private let width: Int
  private let time: Int
  private let status: Int?
  /// Places of pitch and yaw, and of the three standard deviations; nil where a column is missing.
  private let angles: [Int]?
  private let sigmas: [Int]?
  private let quaternion: [Int]?
  /// Places among a row's numbers of those that go to the table as they are.
  private let plain: [Int]
  /// Which of `plain` are test ratios, and the last of each with its time.
  private let ratios: Set<Int>
  private var lastRatios: [Int: (value: Double, time: Double)] = [:]
  private let gap: Double
  private let keepsAttitudes: Bool
  private var lastTime = Double.nan
  private var row: [Double] = []

  /// The largest test ratio that is drawn as it is.
  static let largestRatio = 5.0
  /// For how long a test ratio lasts, seconds.
  private static let ratioDuration = 1.0
  /// The most pauses that are told.
  private static let mostPauses = 4000
  /// Columns whose values stand for a state at a time, and of which extremes of several times would be none.
  private static let sampled: Set<String> = [
    "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw", "heading", "course",
    "longitude",
  ]

  /// - Parameters:
  ///   - gap: seconds between two rows above which nothing is drawn between them.
  ///   - keepsAttitudes: whether other filters will be compared with these rows.
  init(columns: [FusedColumn], gap: Double, limit: Int, keepsAttitudes: Bool) {
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
    quaternion = places(["quaternionX", "quaternionY", "quaternionZ", "quaternionW"])
    let ages = Set(AuxiliaryChannel.allCases.map(\.ageName))
    plain = columns.indices.filter { !["time", "status"].contains(names[$0]) && !ages.contains(names[$0]) }
    ratios = Set(plain.indices.filter { [plain, names] place in names[plain[place]].hasSuffix("TestRatio") })
    flags = AttitudeFlags.names.map { ($0.flag, $0.name, SpanCollector()) }
    self.gap = gap
    self.keepsAttitudes = keepsAttitudes
    var traces = plain.map {
      TraceTable.Column(
        name: names[$0], unit: columns[$0].unit, thinning: Self.sampled.contains(names[$0]) ? .sampled : .extremes)
    }
    if angles != nil, sigmas != nil {
      traces += ["rollSigma", "pitchSigma", "yawSigma"].map { TraceTable.Column(name: $0, unit: "rad") }
    }
    table = TraceTable(columns: traces, limit: limit)
    row = Array(repeating: .nan, count: traces.count)
  }

  func append(_ rows: UnsafeBufferPointer<Double>) {
    for start in stride(from: 0, to: rows.count, by: width) {
      take(UnsafeBufferPointer(rebasing: rows[start..<start + width]))
    }
  }

  private func take(_ values: UnsafeBufferPointer<Double>) {
    let time = values[time]
    if time - lastTime > gap, pauses.count < Self.mostPauses {
      pauses.append(SpanCollector.Span(start: lastTime, end: time))
    }
    lastTime = time
    if let status {
      let set = AttitudeFlags(rawValue: UInt16(exactly: values[status]) ?? 0)
      for place in flags.indices { flags[place].spans.add(set.contains(flags[place].flag), at: time) }
    }
    for (place, column) in plain.enumerated() { row[place] = values[column] }
    for place in ratios { row[place] = ratio(row[place], at: time, place) }
    if let angles, let sigmas {
      let sigma = AngleSigmas(
        pitch: values[angles[0]], yaw: values[angles[1]], x: values[sigmas[0]], y: values[sigmas[1]],
        z: values[sigmas[2]])
      (row[plain.count], row[plain.count + 1], row[plain.count + 2]) = (sigma.roll, sigma.pitch, sigma.yaw)
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

  /// Measurements come in some rows only: each lasts to the next.
  private func ratio(_ value: Double, at time: Double, _ place: Int) -> Double {
    if !value.isNaN { lastRatios[place] = (min(value, Self.largestRatio), time) }
    guard let last = lastRatios[place], time - last.time <= Self.ratioDuration else { return .nan }
    return last.value
  }

  func flush() {}

  func close() { table.finish() }
}
