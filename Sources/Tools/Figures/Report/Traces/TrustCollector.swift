internal import InertialJobs
internal import InertialSensors

/// Determines for each second of a fusion whether its attitude is reliable, and the reasons if it is not.
struct TrustCollector {
  /// The reliability of an attitude.
  enum Level: Int, Encodable, Sendable { case good, doubtful, bad }

  /// A reason for doubt. The bad ones come first.
  enum Cause: Int, CaseIterable, Sendable {
    case gap, held, clipped, jumped, tiltUnknown, headingUnknown
    case startUp, disturbance, rejected, innovations, tiltDoubtful, headingDoubtful

    var level: Level { rawValue <= Cause.headingUnknown.rawValue ? .bad : .doubtful }

    var text: String {
      switch self {
      case .gap: "no samples"
      case .held: "a sensor repeats its values"
      case .clipped: "the gyroscope is at the end of its range"
      case .jumped: "the attitude jumped by more than 3°"
      case .tiltUnknown: "standard deviation of the inclination above \(Int(TrustCollector.tiltLimits.bad))°"
      case .headingUnknown: "standard deviation of the heading above \(Int(TrustCollector.headingLimits.bad))°"
      case .startUp: "start-up of the filter"
      case .disturbance: "magnetic disturbance"
      case .rejected: "impossible samples were skipped"
      case .innovations: "measurements contradict the filter"
      case .tiltDoubtful: "standard deviation of the inclination above \(Int(TrustCollector.tiltLimits.doubtful))°"
      case .headingDoubtful: "standard deviation of the heading above \(Int(TrustCollector.headingLimits.doubtful))°"
      }
    }
  }

  /// Successive seconds with the same reasons.
  struct Span: Sendable {
    var start: Double
    var end: Double
    var causes: [Cause]
    var level: Level { causes.map(\.level).max { $0.rawValue < $1.rawValue } ?? .good }
  }

  /// The limits of the standard deviations in degrees.
  private static let tiltLimits = (doubtful: 2.0, bad: 5.0)
  private static let headingLimits = (doubtful: 10.0, bad: 30.0)
  /// The fraction of a second's rows above which a reason applies to the second.
  private static let minimumFraction = 0.2
  /// The maximum number of spans; if there are more, the intervals are longer than a second.
  private static let maximumSpanCount = 4000

  private var first = 0.0
  private var last = 0.0
  /// The seconds since the start that have rows, with their causes as bits. A log may have gaps of years.
  private var seconds: [(index: Int, causes: UInt16)] = []
  private var counts = [Int](repeating: 0, count: Cause.allCases.count)
  private var rows = 0
  private var current = -1

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - sigmas: The standard deviations about the frame's axes, in radians; NaN without a covariance.
  ///   - isOutlier: Whether a measurement contradicts the filter.
  mutating func add(
    _ time: Double, _ flags: AttitudeFlags, sigmas: (x: Double, y: Double, z: Double), isOutlier: Bool
  ) {
    if current < 0 { first = time }
    let second = max(index(of: time), current)
    if second != current { finish(next: second) }
    (last, rows) = (time, rows + 1)
    func count(_ cause: Cause, if holds: Bool) { if holds { counts[cause.rawValue] += 1 } }
    let degrees = 180 / Double.pi
    let (tilt, heading) = (max(sigmas.x, sigmas.y) * degrees, sigmas.z * degrees)
    count(.jumped, if: flags.contains(.jumped))
    count(.startUp, if: flags.contains(.converging))
    count(.disturbance, if: flags.contains(.magneticDisturbance))
    count(.rejected, if: !flags.isDisjoint(with: [.gyroscopeRejected, .accelerometerRejected, .magneticFieldRejected]))
    count(.innovations, if: isOutlier)
    count(.tiltUnknown, if: tilt > Self.tiltLimits.bad)
    count(.tiltDoubtful, if: tilt > Self.tiltLimits.doubtful && tilt <= Self.tiltLimits.bad)
    count(.headingUnknown, if: heading > Self.headingLimits.bad)
    count(.headingDoubtful, if: heading > Self.headingLimits.doubtful && heading <= Self.headingLimits.bad)
  }

  /// Returns the number of the second that contains a time.
  private func index(of time: Double) -> Int { Int(min(max(time - first, 0), 1e15)) }

  /// Ends the current second.
  private mutating func finish(next: Int) {
    if rows > 0 {
      var bits: UInt16 = 0
      for cause in Cause.allCases {
        let minimum = cause == .jumped ? 1 : Self.minimumFraction * Double(rows)
        if counts[cause.rawValue] > 0, Double(counts[cause.rawValue]) >= minimum { bits |= 1 << cause.rawValue }
        counts[cause.rawValue] = 0
      }
      seconds.append((current, bits))
    }
    (current, rows) = (next, 0)
  }

  /// Returns the reliability of all seconds.
  ///
  /// - Parameter known: Further intervals with their causes.
  func spans(_ known: [(cause: Cause, from: Double, to: Double)]) -> [Span] {
    var complete = self
    complete.finish(next: max(current, 0))
    var seconds = complete.seconds
    for (cause, from, to) in known {
      let end = index(of: to)
      var place = seconds.partitioningIndex { $0.index >= index(of: from) }
      while place < seconds.count, seconds[place].index <= end {
        seconds[place].causes |= 1 << cause.rawValue
        place += 1
      }
    }
    let gap: UInt16 = 1 << Cause.gap.rawValue
    let group = seconds.count / Self.maximumSpanCount + 1
    var spans: [Span] = []
    var (lastBits, next) = (UInt16?.none, 0)
    func add(_ bits: UInt16, from start: Int, to end: Int) {
      let end = min(first + Double(end), max(last, first))
      if bits == lastBits {
        spans[spans.count - 1].end = end
      } else {
        let causes = Cause.allCases.filter { bits & 1 << $0.rawValue != 0 }
        spans.append(Span(start: first + Double(start), end: end, causes: causes))
      }
      lastBits = bits
    }
    for start in stride(from: 0, to: seconds.count, by: group) {
      let part = seconds[start..<min(start + group, seconds.count)]
      let (from, through) = (part[start].index, part[part.endIndex - 1].index + 1)
      if from > next { add(gap, from: next, to: from) }
      let hasGap = through - from > part.count
      add(part.reduce(hasGap ? gap : 0) { $0 | $1.causes }, from: from, to: through)
      next = through
    }
    return spans
  }
}
