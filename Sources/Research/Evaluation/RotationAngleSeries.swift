internal import InertialNumerics
internal import InertialRotations

/// The angle of a track's rotation within a short window, over time, which constant rotations on either side of the
/// track do not change. Outliers are removed and the angles are smoothed, so that interpolation between samples
/// averages no more noise than at a sample; otherwise the clock search would prefer offsets between the samples.
struct RotationAngleSeries {
  private(set) var times: [Double] = []
  private(set) var angles: [Double] = []
  private let maximumGap: Double

  /// - Parameters:
  ///   - track: The track.
  ///   - window: The window of the rotation, in seconds.
  ///   - maximumGap: The longest gap to interpolate across, in seconds.
  init(_ track: OrientationTrack, window: Double, maximumGap: Double) {
    self.maximumGap = maximumGap
    for (index, time) in track.times.enumerated() where track.isValid(index) {
      guard let after = track.orientation(at: time + window, maximumGap: maximumGap) else { continue }
      // Of several samples at one time, only the first counts.
      if let last = times.last, last == time { continue }
      times.append(time)
      angles.append(track.quaternions[index].angle(to: after))
    }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    guard let step = Statistics.median(steps), step > 0 else { return }
    // One wrong orientation corrupts two angles: the median of two windows is robust against one in ten.
    filter(halfWidth: max(1, Int((window / step).rounded()))) { Statistics.median($0) ?? 0 }
    filter(halfWidth: max(1, Int((window / (2 * step)).rounded()))) { Statistics.mean($0) ?? 0 }
  }

  /// Replaces each angle by a statistic of the angles within `halfWidth` samples, fewer at the ends.
  private mutating func filter(halfWidth: Int, _ statistic: (ArraySlice<Double>) -> Double) {
    let source = angles
    for index in source.indices {
      // The window is symmetric, so nothing is shifted in time.
      let width = min(halfWidth, min(index, source.count - 1 - index))
      angles[index] = statistic(source[(index - width)...(index + width)])
    }
  }

  /// Returns the mean absolute difference from another series, `shift` seconds later, at every `stride`-th time of this
  /// series. It is infinite if fewer than half of the times have both values, so that no shift wins by having few
  /// values to compare.
  func cost(of other: RotationAngleSeries, shift: Double, stride: Int) -> Double {
    var (sum, count, asked, next) = (0.0, 0, 0, 0)
    for index in Swift.stride(from: 0, to: times.count, by: stride) {
      asked += 1
      let time = times[index] - shift
      while next < other.times.count, other.times[next] < time { next += 1 }
      guard next > 0, next < other.times.count else { continue }
      let (before, after) = (other.times[next - 1], other.times[next])
      guard after - before <= maximumGap else { continue }
      let fraction = (time - before) / (after - before)
      let angle = other.angles[next - 1] * (1 - fraction) + other.angles[next] * fraction
      sum += abs(angle - angles[index])
      count += 1
    }
    return 2 * count < asked || count == 0 ? .infinity : sum / Double(count)
  }
}
