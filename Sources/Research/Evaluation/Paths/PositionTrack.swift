public import InertialNumerics
internal import InertialSystem

/// Positions over time, as columns: an estimated path, a reference path, or surveyed landmarks with their passing
/// times.
public struct PositionTrack: Sendable, Equatable {
  /// The times, in seconds, never decreasing.
  public let times: [Double]
  /// The positions, in m, in a frame with Z up; z is 0 if heights are unknown.
  public let positions: [Vector3]
  /// The standard deviations of the positions by component, in m, or `nil` if they are not stated.
  public let sigmas: [Vector3]?
  /// Whether z is a height; `false` for landmarks on a floor plan.
  public let hasHeights: Bool

  /// The longest time before or after a track for which its end sample is used, in seconds: people click to tenths of a
  /// second.
  static let endTolerance = 0.2

  /// Creates a track from its columns. All numbers must be finite, except sigmas; non-finite sigmas are not evaluated.
  /// - Throws: `countMismatch`, `timesNotIncreasing`, or `notAPosition` if a position is not finite.
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

  /// The range from the first time to the last, in seconds, or `nil` for a track without samples.
  package var span: ClosedRange<Double>? {
    guard let first = times.first, let last = times.last else { return nil }
    return first...last
  }

  /// Returns the same positions, `seconds` later.
  package func shifted(by seconds: Double) -> PositionTrack {
    guard seconds != 0 else { return self }
    return PositionTrack(uncheckedTimes: times.map { $0 + seconds }, positions, sigmas, hasHeights)
  }

  private init(
    uncheckedTimes times: [Double], _ positions: [Vector3], _ sigmas: [Vector3]?, _ hasHeights: Bool
  ) {
    (self.times, self.positions, self.sigmas, self.hasHeights) = (times, positions, sigmas, hasHeights)
  }

  /// Returns position and sigmas at a time, linearly interpolated between the adjacent samples, or `nil` if the time is
  /// more than 0.2 s outside the track or the adjacent samples are more than `maximumGap` seconds apart.
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
    let fraction = (time - times[after - 1]) / gap
    func between(_ values: [Vector3]) -> Vector3 { values[after - 1] + fraction * (values[after] - values[after - 1]) }
    return (between(positions), sigmas.map(between))
  }

  /// The horizontal length, in m: the sum of the distances between samples. A sample within 5 cm of the last counted
  /// one is skipped, so that standing still adds no length.
  public var length: Double {
    guard var corner = positions.first else { return 0 }
    var sum = 0.0
    for position in positions {
      let step = hypot(position.x - corner.x, position.y - corner.y)
      guard step > 0.05 else { continue }
      corner = position
      sum += step
    }
    return sum
  }
}

extension [Double] {
  /// Returns the first index whose value is not below a bound, for values that never decrease, by bisection.
  package func firstIndex(notBefore bound: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
