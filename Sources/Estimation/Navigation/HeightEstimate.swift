internal import InertialNumerics
internal import InertialSystem

/// The height of a device from a barometer and the motion (a vertical filter), with an arbitrary constant zero.
public struct HeightEstimate: Sendable, Equatable, Codable {
  /// The time in seconds on the log's clock.
  public var time: Double
  /// The height in metres.
  public var height: Double
  /// The standard deviation of the height in metres, without changes of the weather.
  public var sigma: Double
  /// The vertical speed in m/s, up positive.
  public var speed: Double
  /// The standard deviation of the vertical speed, in m/s.
  public var speedSigma: Double

  /// Creates a reading.
  public init(time: Double, height: Double, sigma: Double, speed: Double, speedSigma: Double) {
    self.time = time
    self.height = height
    self.sigma = sigma
    self.speed = speed
    self.speedSigma = speedSigma
  }

  /// The random walk of the height from the weather, in m/√s: 1 m in ten minutes.
  private static let weather = 0.04

  /// Returns the height above that of another reading, with its standard deviation, in metres.
  func above(_ start: HeightEstimate) -> (height: Double, sigma: Double) {
    let weather = Self.weather * Self.weather * abs(time - start.time)
    return (height - start.height, (sigma * sigma + start.sigma * start.sigma + weather).squareRoot())
  }
}

/// The heights of a walk, relative to the first one at the start.
struct WalkedHeights: Sendable, Codable {
  private var first: HeightEstimate?
  private var latest: HeightEstimate?
  /// The heights kept for the smoothed path.
  private var kept: [HeightEstimate] = []
  private let keepsTrace: Bool

  /// The minimum interval between kept heights, in seconds.
  private static let spacing = 0.2

  init(keepsTrace: Bool) { self.keepsTrace = keepsTrace }

  mutating func add(_ reading: HeightEstimate) {
    first = first ?? reading
    latest = reading
    if keepsTrace, reading.time >= (kept.last?.time ?? -.infinity) + Self.spacing { kept.append(reading) }
  }

  /// Sets the vertical part of an estimate from the newest height.
  func level(_ estimate: inout TrackEstimate) {
    if let latest { level(&estimate, by: latest) }
  }

  /// Sets the vertical parts of estimates in chronological order.
  func level(_ estimates: inout [TrackEstimate]) {
    var next = 0
    for index in estimates.indices {
      while next + 1 < kept.count, kept[next + 1].time <= estimates[index].time { next += 1 }
      guard next < kept.count else { return }
      guard next + 1 < kept.count, estimates[index].time > kept[next].time else {
        level(&estimates[index], by: kept[next])
        continue
      }
      let (a, b) = (kept[next], kept[next + 1])
      var reading = a
      reading.height += (estimates[index].time - a.time) / (b.time - a.time) * (b.height - a.height)
      level(&estimates[index], by: reading)
    }
  }

  private func level(_ estimate: inout TrackEstimate, by reading: HeightEstimate) {
    guard let first else { return }
    (estimate.position.z, estimate.positionSigma.z) = reading.above(first)
    (estimate.velocity.z, estimate.velocitySigma.z) = (reading.speed, reading.speedSigma)
  }
}
