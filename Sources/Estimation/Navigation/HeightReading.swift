internal import InertialNumerics
internal import InertialSystem

/// How high a device is at a time, by a barometer and the motion (a vertical filter); of its zero only that it stays.
public struct HeightReading: Sendable, Equatable {
  /// Seconds on the log's clock.
  public var time: Double
  /// m.
  public var height: Double
  /// Its standard deviation, m, without what the weather changes.
  public var sigma: Double
  /// m/s, up positive.
  public var speed: Double
  /// Its standard deviation, m/s.
  public var speedSigma: Double

  /// A reading from its parts.
  public init(time: Double, height: Double, sigma: Double, speed: Double, speedSigma: Double) {
    self.time = time
    self.height = height
    self.sigma = sigma
    self.speed = speed
    self.speedSigma = speedSigma
  }

  /// What the weather makes of a height that stays, m/√s: 1 m in ten minutes.
  private static let weather = 0.04

  /// The height above that of another reading, with its standard deviation, m.
  func above(_ start: HeightReading) -> (height: Double, sigma: Double) {
    let weather = Self.weather * Self.weather * abs(time - start.time)
    return (height - start.height, (sigma * sigma + start.sigma * start.sigma + weather).squareRoot())
  }
}

/// The heights of a walk: the first is the start's.
struct WalkedHeights: Sendable {
  private var first: HeightReading?
  private var latest: HeightReading?
  /// Those that are kept, for the whole path.
  private var kept: [HeightReading] = []
  private let keepsTrace: Bool

  /// Seconds between those that are kept.
  private static let spacing = 0.2

  init(keepsTrace: Bool) { self.keepsTrace = keepsTrace }

  mutating func add(_ reading: HeightReading) {
    first = first ?? reading
    latest = reading
    if keepsTrace, reading.time >= (kept.last?.time ?? -.infinity) + Self.spacing { kept.append(reading) }
  }

  /// Sets the vertical part of an estimate as it is known now.
  func level(_ estimate: inout TrackEstimate) {
    if let latest { level(&estimate, by: latest) }
  }

  /// Sets the vertical parts of estimates in order of time.
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

  private func level(_ estimate: inout TrackEstimate, by reading: HeightReading) {
    guard let first else { return }
    (estimate.position.z, estimate.positionSigma.z) = reading.above(first)
    (estimate.velocity.z, estimate.velocitySigma.z) = (reading.speed, reading.speedSigma)
  }
}
