internal import InertialNumerics
internal import InertialSystem

/// How fast a walker's direction drifts, which is the gyroscope's bias about the vertical: people mostly walk straight on, and
/// while they do, all that turns is the gyroscope's fault.
///
/// Every drift that a gyroscope may have is tried: for each a Kalman filter of one state, the direction of the way, in which a
/// step goes straight on or, with some probability, begins another way of any direction (a filter for probabilistic data
/// association: Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and navigation" (2001), 3.4.3). What
/// the steps are likely by weighs the drifts.
struct WalkingDrift: Sendable {
  private struct Cell: Sendable {
    /// rad/s.
    let drift: Double
    /// Logarithm, up to a constant.
    var weight: Double
    /// Of the way that is being walked, rad, and its variance.
    var direction = 0.0
    var variance = 0.0
  }

  private var cells: [Cell]
  /// Since which the direction has drifted, s.
  private var elapsed: Double?
  /// rad/s, and its standard deviation.
  private(set) var mean = 0.0
  private(set) var sigma = 0.0

  private static let count = 121
  private static let spacing = 0.0025
  /// Standard deviations, rad/s, of a gyroscope whose bias has been taken off and of a raw one; both are as likely.
  private static let calibrated = 0.005
  private static let raw = 0.06
  /// Of one that has been seen at rest.
  private static let rested = 0.003
  /// Of a step's direction, rad; of how a straight way veers, rad/√s; and how likely a step is the first of another way.
  private static let stepNoise = 0.07
  private static let veering = 0.01
  private static let turning = 0.1
  /// What one step says, the next says again in part.
  private static let independence = 0.5

  init() {
    cells = (0..<Self.count).map { index in
      let drift = Double(index - Self.count / 2) * Self.spacing
      func bell(_ sigma: Double) -> Double { exp(-drift * drift / (2 * sigma * sigma)) / sigma }
      return Cell(drift: drift, weight: log(bell(Self.calibrated) + bell(Self.raw)))
    }
    sum()
  }

  /// Takes the drift that was seen at rest, rad/s.
  mutating func rest(_ drift: Double) {
    for index in cells.indices {
      let deviation = (cells[index].drift - drift) / Self.rested
      cells[index].weight -= deviation * deviation / 2
    }
    sum()
  }

  /// Takes a step.
  ///
  /// - Parameters:
  ///   - direction: by the gyroscope as it is, rad, unwrapped.
  ///   - elapsed: seconds of drift in it.
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
      // Between the way that goes on and the one that begins here.
      let share = on / (on + other)
      let gain = cell.variance / s
      let step = share * gain + 1 - share
      let spread = (1 - gain) * innovation
      cell.direction += step * innovation
      cell.variance =
        share * (1 - gain) * cell.variance + (1 - share) * noise + share * (1 - share) * spread * spread
      cells[index] = cell
    }
    sum()
  }

  private mutating func sum() {
    let most = cells.map(\.weight).max() ?? 0
    var (total, first, second) = (0.0, 0.0, 0.0)
    for index in cells.indices {
      cells[index].weight -= most
      let weight = exp(cells[index].weight)
      total += weight
      first += weight * cells[index].drift
      second += weight * cells[index].drift * cells[index].drift
    }
    mean = first / total
    sigma = max(second / total - mean * mean, Self.spacing * Self.spacing / 12).squareRoot()
  }
}
