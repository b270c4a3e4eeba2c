package import InertialNavigation
package import InertialNumerics
package import InertialRecognition
internal import InertialSystem

/// A path as drawn in plan view and over time, reduced to few numbers, in metres on the map.
///
/// In plan view, right is east and up is north if north is known; otherwise right is the frame's X and up its Y.
package struct PathPlotData: Sendable {
  /// A position on the map, in metres.
  package typealias Place = (x: Double, y: Double)

  /// The path during an interval of time. A coordinate of `NaN` is a break.
  package struct Segment: Sendable {
    /// The interval's start in seconds on the log's clock, a multiple of a round time.
    package var from: Double
    package var to: Double
    package var times: [Double] = []
    package var x: [Double] = []
    package var y: [Double] = []
    /// The colour tone, from 0 for the first interval to 1 for the last.
    package var tone = 0.0
  }

  /// A height in metres that the path keeps between two floor changes, from one time to another in seconds.
  package typealias HeightPlateau = (from: Double, to: Double, height: Double)

  /// The half axes of the 95 % ellipse of a bivariate normal distribution, in standard deviations: √−2 ln 0.05.
  package static let planeFactor = 2.447746830680816
  /// Half of the 95 % interval of a univariate normal distribution, in standard deviations.
  package static let lineFactor = 1.959963984540054

  /// Whether up on the map is north.
  package let isNorthUp: Bool
  package private(set) var stretches: [Segment] = []
  /// Outlines that together form the 95 % confidence region of the position at each time, if its components are
  /// independent. All have the same orientation.
  package private(set) var band: [[Place]] = []
  /// The first position, or `nil` if the path is empty.
  package private(set) var start: Place?
  package private(set) var end: Place?
  /// The outline of the end's 95 % confidence region, or `nil` if its sigma is unknown.
  package private(set) var endOutline: [Place]?
  /// The half axes of the end's 95 % ellipse to the right and up, and half of its height's 95 % interval, in metres.
  /// `NaN` if unknown.
  package private(set) var endReach = Vector3(repeating: .nan)
  /// The meaning of the dots: "stance" for a foot, "step" for a walker, "stop" for a path without steps.
  package private(set) var dotName = ""
  package private(set) var dots: [Place] = []
  /// The times of the heights and of half of their 95 % intervals.
  package private(set) var times: [Double] = []
  package private(set) var heights: [Double] = []
  package private(set) var heightReaches: [Double] = []
  /// The larger side of the path's bounding box, in metres.
  package private(set) var span = 0.0

  /// The minimum distance between points of a line, as a fraction of the span: the resolution of a screen.
  private static let resolution = 1.0 / 1500
  /// The approximate number of outlines in a band.
  private static let maximumOutlineCount = 150.0
  /// The maximum number of intervals, apart from those at the ends.
  private static let stretchCount = 5.0
  /// The number of corners of the band's ellipses, which are visible only at the edge, and of the end's ellipse.
  private static let corners = 40
  private static let endCorners = 72

  /// Creates the picture of a path.
  ///
  /// - Parameters:
  ///   - isNorthUp: Whether the path's X is north and its Y west.
  ///   - origin: The log's time from which round times count, in seconds.
  ///   - maximumGap: The maximum interval between estimates of an unbroken path, in seconds.
  ///   - moments: The estimates in chronological order; those that are not finite are skipped.
  package init(isNorthUp: Bool, origin: Double, maximumGap: Double, moments: some Sequence<TrackEstimate>) {
    self.isNorthUp = isNorthUp
    let known = moments.filter { [$0.time, $0.position.x, $0.position.y].allSatisfy(\.isFinite) }
    guard let first = known.first, let last = known.last else { return }
    let places = known.map { place(of: $0.position) }
    let (across, up) = (Self.extent(places.map(\.x)), Self.extent(places.map(\.y)))
    span = max(across, up)
    addLine(known, places, origin: origin, maximumGap: maximumGap)
    addBand(known, places)
    (start, end) = (places[0], places[places.count - 1])
    let reach = self.reach(last.positionSigma)
    endReach = Vector3(reach.x, reach.y, last.positionSigma.z * Self.lineFactor)
    if reach.x.isFinite, reach.y.isFinite {
      endOutline = Self.ellipse(places[places.count - 1], reach, Self.endCorners)
    }
    addDots(known, places)
    addHeights(known, since: first.time)
  }

  private static func extent(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }

  /// Returns the map position of a path position.
  package func place(of position: Vector3) -> Place { isNorthUp ? (-position.y, position.x) : (position.x, position.y) }

  private func reach(_ sigma: Vector3) -> Place {
    let (x, y) = isNorthUp ? (sigma.y, sigma.x) : (sigma.x, sigma.y)
    return (x * Self.planeFactor, y * Self.planeFactor)
  }

  // MARK: Plan view

  private mutating func addLine(_ moments: [TrackEstimate], _ places: [Place], origin: Double, maximumGap: Double) {
    let (first, last) = (moments[0].time - origin, moments[moments.count - 1].time - origin)
    let step = Self.roundTime(atLeast: (last - first) / Self.stretchCount)
    let minimum = span * Self.resolution
    var kept = places[0]
    for index in moments.indices {
      let (time, place) = (moments[index].time, places[index])
      let from = ((time - origin) / step).rounded(.down) * step + origin
      let isBroken = index > 0 && time - moments[index - 1].time > maximumGap
      let isNew = stretches.last.map { from > $0.from + step / 2 } ?? true
      let isLast = index == moments.count - 1
      guard isNew || isBroken || isLast || hypot(place.x - kept.x, place.y - kept.y) >= minimum else { continue }
      if isNew {
        // The previous interval continues to the start of the next one, unless there is a gap between them.
        if !stretches.isEmpty, !isBroken { append(time, place) }
        stretches.append(Segment(from: from, to: from + step))
      } else if isBroken {
        append(time, (.nan, .nan))
      }
      append(time, place)
      kept = place
    }
    for index in stretches.indices where stretches.count > 1 {
      stretches[index].tone = Double(index) / Double(stretches.count - 1)
    }
  }

  private mutating func append(_ time: Double, _ place: Place) {
    let last = stretches.count - 1
    stretches[last].times.append(time)
    stretches[last].x.append(place.x)
    stretches[last].y.append(place.y)
  }

  /// Returns a round number of seconds, minutes or hours.
  static func roundTime(atLeast time: Double) -> Double {
    let rounds = [
      0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200,
    ]
    return rounds.first { $0 >= time } ?? (time / 86_400).rounded(.up) * 86_400
  }

  /// Adds the hulls of neighbouring ellipses.
  private mutating func addBand(_ moments: [TrackEstimate], _ places: [Place]) {
    let way = zip(places, places.dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
    let minimum = max(span / 100, way / Self.maximumOutlineCount)
    var last: (place: Place, reach: Place)?
    for index in moments.indices {
      let (place, reach) = (places[index], reach(moments[index].positionSigma))
      guard reach.x.isFinite, reach.y.isFinite else {
        last = nil
        continue
      }
      guard let before = last else {
        last = (place, reach)
        if index == moments.count - 1 { band.append(Self.ellipse(place, reach)) }
        continue
      }
      let moved = hypot(place.x - before.place.x, place.y - before.place.y)
      let grown = max(abs(reach.x - before.reach.x), abs(reach.y - before.reach.y))
      guard
        moved >= max(minimum, min(before.reach.x, before.reach.y) / 2) || grown > minimum * 2
          || index == moments.count - 1
      else { continue }
      band.append(Self.hull(Self.ellipse(before.place, before.reach) + Self.ellipse(place, reach)))
      last = (place, reach)
    }
  }

  /// Returns the corners of an ellipse, counterclockwise from the right.
  private static func ellipse(_ centre: Place, _ reach: Place, _ corners: Int = corners) -> [Place] {
    (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      return (centre.x + reach.x * cos(angle), centre.y + reach.y * sin(angle))
    }
  }

  /// Returns the corners of the convex hull, counterclockwise (Andrew 1979).
  static func hull(_ points: [Place]) -> [Place] {
    let sorted = points.sorted { $0.x < $1.x || $0.x == $1.x && $0.y < $1.y }
    guard sorted.count > 2 else { return sorted }
    func half(_ points: some Sequence<Place>) -> [Place] {
      var half: [Place] = []
      for point in points {
        while half.count >= 2 {
          let (a, b) = (half[half.count - 2], half[half.count - 1])
          guard (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) <= 0 else { break }
          half.removeLast()
        }
        half.append(point)
      }
      return half.dropLast()
    }
    return half(sorted) + half(sorted.reversed())
  }

  // MARK: Dots

  /// The minimum duration of a stop on a path without steps, in seconds.
  private static let minimumStopDuration = 2.0

  private mutating func addDots(_ moments: [TrackEstimate], _ places: [Place]) {
    var (stances, steps, stops): ([Place], [Place], [Place]) = ([], [], [])
    var since: Int?
    for index in moments.indices {
      if index > 0, moments[index].stepCount > moments[index - 1].stepCount { steps.append(places[index]) }
      if moments[index].isStanding {
        since = since ?? index
        guard index == moments.count - 1 else { continue }
      }
      guard let begin = since else { continue }
      let end = moments[index].isStanding ? index : index - 1
      stances.append(places[(begin + end) / 2])
      if moments[end].time - moments[begin].time >= Self.minimumStopDuration { stops.append(places[(begin + end) / 2]) }
      since = nil
    }
    // A foot has one stance per stride, whereas a walker stands only between walks.
    if steps.isEmpty {
      (dotName, dots) = stops.isEmpty ? ("", []) : ("stop", stops)
    } else {
      (dotName, dots) = 2 * stances.count > steps.count ? ("stance", stances) : ("step", steps)
    }
  }

  /// Returns the dots, or no dots if more than half of them are closer to the previous dot than a distance in metres,
  /// as they would merge into a line.
  package func dots(apart minimum: Double) -> [Place] {
    let ways = zip(dots, dots.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }
    return 2 * ways.count { $0 >= minimum } >= ways.count ? dots : []
  }

  // MARK: Over time

  /// The minimum interval between heights, as a fraction of the whole duration and, to detect floors, at most in
  /// seconds.
  private static let heightFraction = 1.0 / 2000
  private static let heightStep = 0.8

  private mutating func addHeights(_ moments: [TrackEstimate], since start: Double) {
    let minimum = min((moments[moments.count - 1].time - start) * Self.heightFraction, Self.heightStep)
    for (index, moment) in moments.enumerated() where moment.position.z.isFinite {
      let isDue = times.last.map { moment.time - $0 >= minimum } ?? true
      guard isDue || index == moments.count - 1 else { continue }
      times.append(moment.time)
      heights.append(moment.position.z)
      heightReaches.append(moment.positionSigma.z * Self.lineFactor)
    }
  }

  /// Whether the height was estimated: a path of steps alone stays at 0.
  package var knowsHeight: Bool { heights.contains { abs($0) > 1e-6 } }

  /// The heights that the path keeps between floor changes, which `FloorDetector` detects.
  package var levels: [HeightPlateau] {
    var detector = FloorDetector()
    var ways: [FloorEvent] = []
    for (time, height) in zip(times, heights) {
      if let way = detector.update(altitude: height, filtered: height, at: time) { ways.append(way) }
    }
    return Self.levels(between: ways + detector.finish(), times: times, heights: heights)
  }

  /// Returns the heights between floor changes; empty if there are no floor changes.
  ///
  /// - Parameters:
  ///   - ways: The floor changes in chronological order.
  ///   - times: The times in seconds.
  ///   - heights: The heights in metres, one per time.
  package static func levels(between ways: [FloorEvent], times: [Double], heights: [Double]) -> [HeightPlateau] {
    guard let first = times.first, let last = times.last, !ways.isEmpty else { return [] }
    let edges = [first] + ways.flatMap { [$0.start, $0.end] } + [last]
    return stride(from: 0, to: edges.count - 1, by: 2).compactMap { place in
      let (from, to) = (edges[place], edges[place + 1])
      let inside = zip(times, heights).filter { $0.0 >= from && $0.0 <= to && $0.1.isFinite }.map(\.1).sorted()
      guard to > from, !inside.isEmpty else { return nil }
      return (from, to, inside[inside.count / 2])
    }
  }
}
