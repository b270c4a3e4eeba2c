internal import InertialNavigation
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

/// The summary of a path.
package struct PathReport: Sendable, Codable {
  package var on: CarryMode
  /// The reason for the placement.
  package var reason: String
  /// The decisions of the tracker.
  var learned: [AutomaticDecision] = []
  /// All automatic decisions about the path.
  package var decisions: [AutomaticDecision] {
    (reason == Self.specifiedReason ? [] : [AutomaticDecision("placement", on.rawValue, basis: reason)]) + learned
  }
  /// The reason for the placement, and the decisions of the tracker, as a phrase.
  package var decision: String { ([reason] + learned.map(\.sentence)).joined(separator: "; ") }
  /// The time of the first motion, in seconds.
  var logStart: Double?
  /// The time from the first motion to the start of the path, in seconds.
  package var delay: Double {
    guard let first, let logStart else { return 0 }
    return max(0, first.time - logStart)
  }

  /// The length of the path, in metres.
  package var length: Double {
    walked.map { max($0, distance) } ?? counted + (last.map { ($0.position - (corner ?? $0.position)).norm } ?? 0)
  }
  /// The horizontal distance, height and sigmas of the end relative to the start, in metres.
  package var distance = 0.0
  package var height = 0.0
  package var sigma = 0.0
  package var heightSigma = 0.0
  package var steps = 0
  /// The geographic positions, about one per second; empty if unknown.
  package var places: [Place] = []

  /// The end of a closed path as estimated without closing it, or `nil` if the path is not closed.
  package private(set) var opening: Opening?

  /// The distance between the start and the end of a path.
  package struct Opening: Sendable, Codable {
    /// The horizontal distance and its standard deviation, in metres.
    package var distance: Double
    package var sigma: Double
    /// Whether the standard deviation makes an end at the start unlikely (a probability below 1 in 1000).
    package var isUnlikely: Bool
  }

  /// A geographic position of the path.
  package struct Place: Sendable, Equatable, Codable {
    /// The time in seconds on the log's clock.
    package var time: Double
    /// The latitude in degrees, WGS 84.
    package var latitude: Double
    package var longitude: Double
    /// The height above the path's start, in metres.
    package var height: Double
    /// The horizontal standard deviation, in metres.
    package var sigma: Double
  }

  /// Whether the path uses position fixes.
  var hasFixes = false
  /// The reason why no data of the whole log supports the path, if that is known.
  var missingInput: String?
  private var first: TrackEstimate?
  private var last: TrackEstimate?
  /// The sum of a walker's step lengths as detected, in metres, or `nil` if unknown. Late steps correct the path, and
  /// these corrections must not count as walked distance.
  var walked: Double?
  /// The length of the path up to a position, in metres, and that position.
  private var counted = 0.0
  private var corner: Vector3?

  /// The maximum interval for which a vehicle's speed is taken as constant, in seconds.
  private static let maximumInterval = 1.0
  /// The minimum displacement that counts on a walker's path, in metres.
  private static let minimumDisplacement = 2.0
  /// The χ² of two components that 99.9 % of the errors of an end at the start stay below.
  private static let farSquared = ChiSquare(degreesOfFreedom: 2).quantile(0.999)

  /// The reason why no data supports the path, or `nil` if there is such data.
  package var missingInputReason: String? {
    if let missingInput { return missingInput }
    guard on != .vehicle else {
      return last == nil ? "the position fixes do not determine the vehicle's direction, or are missing" : nil
    }
    guard steps == 0, !hasFixes else { return nil }
    return on == .foot
      ? "no stride of a foot was found, so the distance is unknown"
      : "no step of a walk was found, so the distance is unknown"
  }

  /// The reason for a placement that the user has specified.
  static let specifiedReason = "set by --on"

  init(on: CarryMode, reason: String = Self.specifiedReason) { (self.on, self.reason) = (on, reason) }

  /// Sets `opening` from the end of a path, estimated without a constraint on its position.
  mutating func setOpening(_ end: TrackEstimate) {
    let (p, s) = (end.position, end.positionSigma)
    opening = Opening(
      distance: (p.x * p.x + p.y * p.y).squareRoot(), sigma: (s.x * s.x + s.y * s.y).squareRoot(),
      isUnlikely: p.x * p.x / (s.x * s.x) + p.y * p.y / (s.y * s.y) > Self.farSquared)
  }

  /// Adds the displacement to the next estimate to the length: a foot's strides between standstills, a vehicle's speed
  /// times the time, and displacements of two metres of a walker. Corrections of the position do not count.
  private mutating func count(_ estimate: TrackEstimate) {
    guard let last else {
      corner = estimate.position
      return
    }
    let interval = estimate.time - last.time
    switch on {
    case .foot where last.isStanding && !estimate.isStanding:
      counted += corner.map { (last.position - $0).norm } ?? 0
      corner = last.position
    case .foot: break
    case .vehicle:
      if interval >= Self.maximumInterval {
        counted += (estimate.position - last.position).norm
      } else if !estimate.isStanding {
        counted += estimate.velocity.norm * interval
      }
      corner = estimate.position
    case .auto, .hand, .pocket, .body:
      let way = (estimate.position - (corner ?? estimate.position)).norm
      guard way >= Self.minimumDisplacement else { break }
      counted += way
      corner = estimate.position
    }
  }

  /// Adds the next estimate.
  ///
  /// - Parameter place: The geographic coordinates in degrees, WGS 84, or `nil` if unknown.
  mutating func add(_ estimate: TrackEstimate, at place: (latitude: Double, longitude: Double)?) {
    first = first ?? estimate
    count(estimate)
    last = estimate
    let whole = estimate.position - first!.position
    let s = estimate.positionSigma
    (distance, height) = ((whole.x * whole.x + whole.y * whole.y).squareRoot(), whole.z)
    (sigma, heightSigma) = ((s.x * s.x + s.y * s.y).squareRoot(), s.z)
    steps = estimate.stepCount
    guard let place, places.last.map({ estimate.time - $0.time >= 1 }) ?? true else { return }
    places.append(
      Place(
        time: estimate.time, latitude: place.latitude, longitude: place.longitude, height: whole.z, sigma: sigma))
  }
}
