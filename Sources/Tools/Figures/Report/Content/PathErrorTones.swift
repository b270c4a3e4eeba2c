internal import InertialEvaluation
internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The tones of a path on a map by its horizontal distance from a reference.
struct PathErrorTones {
  typealias Curve = RecordingContent.Chart.Curve

  /// The number of tones of a map, as in `map.js`.
  private static let toneCount = 6
  /// The longest time between the path and a point of the reference whose error it has, in seconds.
  private static let maximumDistance = 2.0

  private let times: [Double]
  private let errors: [Double]
  private let statistics: ErrorStatistics
  /// The range of the errors of one tone, in metres.
  private let width: Double

  /// Creates the tones.
  ///
  /// - Parameter clockShift: The time that was added to the path's times for the comparison, in seconds.
  init(_ comparison: PathComparison, clockShift: Double) {
    times = comparison.points.map { $0.time - clockShift }
    errors = comparison.points.map { hypot($0.error.x, $0.error.y) }
    statistics = comparison.horizontal
    let wanted = max(statistics.maximum / Double(Self.toneCount), 1e-3)
    let power = pow(10, log10(wanted).rounded(.down))
    width = [1, 2, 5, 10].map { $0 * power }.first { $0 >= wanted } ?? 10 * power
  }

  /// Returns the error at a time in metres, interpolated between points of the reference, or `nil` if none is near.
  private func error(at time: Double) -> Double? {
    let after = times.firstIndex(notBefore: time)
    let near = [after - 1, after].filter { times.indices.contains($0) && abs(times[$0] - time) <= Self.maximumDistance }
    guard let first = near.first, let last = near.last else { return nil }
    guard last > first, times[last] > times[first] else { return errors[first] }
    let fraction = (time - times[first]) / (times[last] - times[first])
    return errors[first] + fraction * (errors[last] - errors[first])
  }

  /// Returns curves that are cut where the tone of the error changes.
  func toned(_ curves: [Curve]) -> [Curve] {
    var seen: Set<Int?> = []
    return curves.flatMap { curve -> [Curve] in
      guard let times = curve.times else { return [curve] }
      let tones = times.map { error(at: $0).map { min(Self.toneCount - 1, Int($0 / width)) } }
      var (pieces, start): ([Curve], Int) = ([], 0)
      for index in 1...tones.count where index == tones.count || tones[index] != tones[start] {
        // A piece ends at the next one's first point, so that the path has no gaps.
        let points = start..<min(index + 1, tones.count)
        let tone = tones[start]
        pieces.append(
          Curve(
            label: seen.insert(tone).inserted ? label(tone) : "", x: Array(curve.x[points]), y: Array(curve.y[points]),
            tone: tone.map { Double($0) / Double(Self.toneCount - 1) }, times: Array(times[points])))
        start = index
      }
      return pieces
    }
  }

  private func label(_ tone: Int?) -> String {
    guard let tone else { return "no reference" }
    return String(cFormat: "%.4g–%.4g m", Double(tone) * width, Double(tone + 1) * width)
  }

  /// Returns the explanation of the tones.
  ///
  /// - Parameter name: The name of the reference's file.
  func note(of name: String) -> String {
    " Colour: the horizontal distance from \(name), at \(errors.count) points, without the fitted difference: root mean square "
      + "\(statistics.rmse.metres) m, median \(statistics.median.metres) m, maximum \(statistics.maximum.metres) m."
  }
}
