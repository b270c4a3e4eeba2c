internal import InertialNumerics
internal import InertialSystem

/// The drift rate of a walker's direction, which is the gyroscope's bias about the vertical. People mostly walk
/// straight, and any rotation is then drift.
///
/// All possible drifts of a gyroscope are tried, each with a Kalman filter of one state: the direction of the segment.
/// A step either continues the segment or, with some probability, begins another segment of any direction (a filter for
/// probabilistic data association: Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and
/// navigation" (2001), 3.4.3). The likelihood of the steps weights the drifts.
struct DriftFilterBank: Sendable, Codable {
  private struct Hypothesis: Sendable, Codable {
    /// The drift in rad/s.
    let drift: Double
    /// The logarithm of the weight, up to a constant.
    var weight: Double
    /// The direction of the current segment, in radians, and its variance.
    var direction = 0.0
    var variance = 0.0
  }

  private var cells: [Hypothesis]
  /// The duration of drift up to the last step, in seconds.
  private var elapsed: Double?
  /// The estimated drift and its standard deviation, in rad/s.
  private(set) var mean = 0.0
  private(set) var sigma = 0.0

  private static let count = 121
  private static let spacing = 0.0025
  /// The standard deviations of the drift of a gyroscope with and without bias correction, in rad/s; both are equally
  /// likely.
  private static let calibrated = 0.005
  private static let raw = 0.06
  /// The standard deviation of a drift measured at rest, in rad/s.
  private static let rested = 0.003
  /// The noise of a step's direction, rad; the random walk of a segment's direction, rad/√s; the probability of a new
  /// segment.
  private static let stepNoise = 0.07
  private static let veering = 0.01
  private static let turning = 0.1
  /// The weight of a step's likelihood, below 1 because successive steps are correlated.
  private static let independence = 0.5

  init() {
    cells = (0..<Self.count).map { index in
      let drift = Double(index - Self.count / 2) * Self.spacing
      func bell(_ sigma: Double) -> Double { exp(-drift * drift / (2 * sigma * sigma)) / sigma }
      return Hypothesis(drift: drift, weight: log(bell(Self.calibrated) + bell(Self.raw)))
    }
    sum()
  }

  /// Applies a drift measured at rest, in rad/s.
  mutating func rest(_ drift: Double) {
    for index in cells.indices {
      let deviation = (cells[index].drift - drift) / Self.rested
      cells[index].weight -= deviation * deviation / 2
    }
    sum()
  }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - direction: The direction from the uncorrected gyroscope, in radians, unwrapped.
  ///   - elapsed: The duration of drift in the direction, in seconds.
  mutating func add(_ direction: Double, after elapsed: Double) {
    defer { self.elapsed = elapsed }
    let noise = Self.stepNoise * Self.stepNoise
    guard let last = self.elapsed else {
      for index in cells.indices { (cells[index].direction, cells[index].variance) = (direction, noise) }
      return
    }
    let time = max(0, elapsed - last)
    for index in cells.indices {
      var cell = cells[index]
      cell.direction += cell.drift * time
      cell.variance += Self.veering * Self.veering * time
      let innovation = direction - cell.direction
      let s = cell.variance + noise
      let on = (1 - Self.turning) * exp(-innovation * innovation / (2 * s)) / (2 * Double.pi * s).squareRoot()
      let other = Self.turning / (2 * Double.pi)
      cell.weight += Self.independence * log(on + other)
      // The mixture of the continued segment and a new one.
      let fraction = on / (on + other)
      let gain = cell.variance / s
      let step = fraction * gain + 1 - fraction
      let spread = (1 - gain) * innovation
      cell.direction += step * innovation
      cell.variance =
        fraction * (1 - gain) * cell.variance + (1 - fraction) * noise + fraction * (1 - fraction) * spread * spread
      cells[index] = cell
    }
    sum()
  }

  private mutating func sum() {
    let maximum = cells.map(\.weight).max() ?? 0
    var (total, first, second) = (0.0, 0.0, 0.0)
    for index in cells.indices {
      cells[index].weight -= maximum
      let weight = exp(cells[index].weight)
      total += weight
      first += weight * cells[index].drift
      second += weight * cells[index].drift * cells[index].drift
    }
    mean = first / total
    sigma = max(second / total - mean * mean, Self.spacing * Self.spacing / 12).squareRoot()
  }
}
