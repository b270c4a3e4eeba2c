internal import InertialNavigation
internal import InertialNumerics
internal import InertialSystem

/// What a path came to.
package struct PathReport: Sendable {
  package var on: Carrying
  /// Why it was taken to be on that.
  package var reason: String
  /// m: along the path; its end from its start, over the ground and in height; and the end's sigmas.
  package var length: Double {
    walked.map { max($0, distance) } ?? counted + (last.map { ($0.position - (corner ?? $0.position)).norm } ?? 0)
  }
  package var distance = 0.0
  package var height = 0.0
  package var sigma = 0.0
  package var heightSigma = 0.0
  package var steps = 0
  /// Where on earth it went, a place for each second or so; empty where nobody knows.
  package var places: [Place] = []

  /// Where a path that is closed would have ended; nil where it is not.
  package var opening: Opening?

  /// The end of a path that nobody told where it ends.
  package struct Opening: Sendable, Equatable {
    /// m from the start, over the ground; and its sigma.
    package var distance: Double
    package var sigma: Double
    /// Whether the start is an end that its sigma does not allow: 1 in 1000.
    package var isUnlikely: Bool

    init(_ end: TrackEstimate) {
      let (p, s) = (end.position, end.positionSigma)
      distance = (p.x * p.x + p.y * p.y).squareRoot()
      sigma = (s.x * s.x + s.y * s.y).squareRoot()
      isUnlikely = p.x * p.x / (s.x * s.x) + p.y * p.y / (s.y * s.y) > 13.8
    }
  }

  /// A place of the path.
  package struct Place: Sendable, Equatable {
    /// s on the log's clock.
    package var time: Double
    /// Degrees, WGS 84.
    package var latitude: Double
    package var longitude: Double
    /// m above the path's start.
    package var height: Double
    /// m over the ground.
    package var sigma: Double
  }

  /// Whether position fixes hold the path.
  var hasFixes = false
  /// That the whole log has no steps, where that is known.
  var noSteps: String?
  private var first: Vector3?
  private var last: TrackEstimate?
  /// m that a walker's steps are long together, as they go: their path is corrected when steps are told, late, and what a
  /// correction moves it by is not walked. nil where that is not known.
  var walked: Double?
  /// m of the path up to a place, and that place.
  private var counted = 0.0
  private var corner: Vector3?

  /// m: less than that is not on a walker's way.
  private static let shortest = 2.0

  /// Why there is nothing that the path rests on; nil where there is.
  package var lack: String? {
    if let noSteps { return noSteps }
    guard on != .vehicle else {
      return last == nil ? "the position fixes do not show which way the vehicle faces, or there are none" : nil
    }
    guard steps == 0, !hasFixes else { return nil }
    return on == .foot
      ? "no stride of a foot was found, so that nothing says how far the device went"
      : "no step of a walk was found, and nothing else says how far the device went"
  }

  init(_ decision: CarryingDecision) { (on, reason) = (decision.carrying, decision.reason) }

  /// Takes the next estimate.
  ///
  /// - Parameter place: degrees, WGS 84; nil where nobody knows.
  mutating func add(_ estimate: TrackEstimate, at place: (latitude: Double, longitude: Double)?) {
    let begin = first ?? estimate.position
    first = begin
    let way = (estimate.position - (corner ?? begin)).norm
    if on == .foot || on == .vehicle {
      // What stands still does not go on by its noise.
      if !estimate.isStanding || way > 0.05 { counted += way }
      corner = estimate.position
    } else if way >= Self.shortest {
      counted += way
      corner = estimate.position
    }
    last = estimate
    let whole = estimate.position - begin
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
