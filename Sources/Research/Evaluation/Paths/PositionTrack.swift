public import InertialNumerics
internal import InertialSystem

/// Positions over time, as columns: an estimated path, a reference path, or surveyed landmarks with the times of passing.
public struct PositionTrack: Sendable, Equatable {
  /// Seconds, never decreasing.
  public let times: [Double]
  /// m, in a frame with Z up; z is 0 where heights are not known.
  public let positions: [Vector3]
  /// Standard deviations of the positions by component, m; nil where nobody states them.
  public let sigmas: [Vector3]?
  /// Whether z is a height; landmarks on a floor plan have none.
  public let hasHeights: Bool

  /// A sample that is so near to a track's end stands for it, seconds: people click by tenths of a second.
  static let endTolerance = 0.2

  /// A track from its columns; all numbers must be finite, but for sigmas, of which one that is not finite is not judged.
  /// - Throws: `countMismatch` or `timesNotIncreasing`, which also tells of a position that is not finite.
  public init(
    times: [Double], positions: [Vector3], sigmas: [Vector3]? = nil, hasHeights: Bool = true
  ) throws(EvaluationError) {
    guard times.count == positions.count else {
      throw .countMismatch(times: times.count, values: positions.count)
    }
    if let sigmas, sigmas.count != times.count {
      throw .countMismatch(times: times.count, values: sigmas.count)
    }
    for (index, time) in times.enumerated() {
      guard time.isFinite, index == 0 || time >= times[index - 1] else { throw .timesNotIncreasing(index: index) }
      guard positions[index].isFinite else { throw .notAPosition(index: index) }
    }
    self.times = times
    self.positions = hasHeights ? positions : positions.map { Vector3($0.x, $0.y, 0) }
    self.sigmas = sigmas
    self.hasHeights = hasHeights
  }

  /// From the first time to the last, seconds; nil for a track without samples.
  package var span: ClosedRange<Double>? {
    guard let first = times.first, let last = times.last else { return nil }
    return first...last
  }

  /// The same positions, each `seconds` later.
  package func shifted(by seconds: Double) -> PositionTrack {
    guard seconds != 0 else { return self }
    return PositionTrack(uncheckedTimes: times.map { $0 + seconds }, positions, sigmas, hasHeights)
  }

  private init(
    uncheckedTimes times: [Double], _ positions: [Vector3], _ sigmas: [Vector3]?, _ hasHeights: Bool
  ) {
    (self.times, self.positions, self.sigmas, self.hasHeights) = (times, positions, sigmas, hasHeights)
  }

  /// Position and sigmas at a time: on the straight line between the samples around it. Nil more than 0.2 s outside the track
  /// and where the neighbours are more than `maximumGap` seconds apart.
  package func sample(at time: Double, maximumGap: Double) -> (position: Vector3, sigma: Vector3?)? {
    guard let span, time >= span.lowerBound - Self.endTolerance, time <= span.upperBound + Self.endTolerance else {
      return nil
    }
    let after = times.firstIndex(notBefore: time)
    if after == times.count || after == 0 || times[after] == time {
      let index = min(after, times.count - 1)
      return (positions[index], sigmas?[index])
    }
    let gap = times[after] - times[after - 1]
    guard gap <= maximumGap else { return nil }
    let share = (time - times[after - 1]) / gap
    func between(_ values: [Vector3]) -> Vector3 { values[after - 1] + share * (values[after] - values[after - 1]) }
    return (between(positions), sigmas.map(between))
  }

  /// How far it goes over the ground, m: the sum of the distances between samples. A sample within 5 cm of the last one that
  /// counts is passed over, so that standing still is not a way.
  public var length: Double {
    guard var corner = positions.first else { return 0 }
    var way = 0.0
    for position in positions {
      let step = hypot(position.x - corner.x, position.y - corner.y)
      guard step > 0.05 else { continue }
      corner = position
      way += step
    }
    return way
  }
}

extension [Double] {
  /// The first index whose value is not below a bound, of values that never decrease; by bisection.
  func firstIndex(notBefore bound: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
