internal import InertialNavigation
package import InertialNumerics
package import InertialRecognition
internal import InertialSystem

/// A path as it is drawn from above and over time: few numbers, in metres of a map.
///
/// Across is east and up is north where somebody knows where north is; else across is the frame's X and up its Y, as one
/// sees them from above.
package struct PathPicture: Sendable {
  /// A moment of a path, m and m of standard deviation.
  package struct Moment: Sendable {
    package var time: Double
    package var position: Vector3
    package var sigma: Vector3
    package var isStanding = false
    /// Steps or strides since the start.
    package var stepCount = 0.0

    package init(
      time: Double, position: Vector3, sigma: Vector3, isStanding: Bool = false, stepCount: Double = 0
    ) {
      (self.time, self.position, self.sigma) = (time, position, sigma)
      (self.isStanding, self.stepCount) = (isStanding, stepCount)
    }
  }

  /// A place of the map, m.
  package typealias Place = (x: Double, y: Double)

  /// The path during a stretch of time; where it is broken a coordinate is NaN.
  package struct Stretch: Sendable {
    /// Seconds on the log's clock: multiples of a round time.
    package var from: Double
    package var to: Double
    package var times: [Double] = []
    package var x: [Double] = []
    package var y: [Double] = []
    /// From 0, the first, to 1, the last.
    package var tone = 0.0
  }

  /// A height at which the path stays between two ways up or down.
  package struct Level: Sendable, Equatable {
    package var from: Double
    package var to: Double
    /// m.
    package var height: Double
  }

  /// Half axes of the ellipse that holds 95 % of a plane's normal distribution, in standard deviations: √−2 ln 0.05.
  package static let planeFactor = 2.447746830680816
  /// Half of the interval that holds 95 % of a line's, in standard deviations.
  package static let lineFactor = 1.959963984540054

  /// Whether up on the map is north.
  package let isNorthUp: Bool
  package private(set) var stretches: [Stretch] = []
  /// Outlines that together hold the path with 95 % at each moment, as far as its components are independent; all go round
  /// the same way.
  package private(set) var band: [[Place]] = []
  /// The first and the last place; nil of a path without a moment.
  package private(set) var start: Place?
  package private(set) var end: Place?
  /// The outline that holds the end with 95 %; nil where its sigma is not known.
  package private(set) var endOutline: [Place]?
  /// Half axes of the end's ellipse across and up, and half of its height's interval, m: 95 %. NaN where they are not known.
  package private(set) var endReach = Vector3(repeating: .nan)
  /// What dots mean: "stance" of a foot, "step" of a walker, "stop" of what has no steps.
  package private(set) var dotName = ""
  package private(set) var dots: [Place] = []
  /// Over time: the height, and half of the interval that holds it with 95 %.
  package private(set) var times: [Double] = []
  package private(set) var heights: [Double] = []
  package private(set) var heightReaches: [Double] = []
  /// The larger side of the box around the path, m.
  package private(set) var span = 0.0

  /// Points of a line are kept where they are further apart than this share of the span: what a screen shows.
  private static let resolution = 1.0 / 1500
  /// About as many outlines as a band has.
  private static let mostOutlines = 150.0
  /// Stretches of time at most, but for those at the ends.
  private static let stretchCount = 5.0
  /// Corners of an ellipse of a band, whose edge is where it is seen, and of the end's.
  private static let corners = 40
  private static let endCorners = 72

  /// The picture of a path.
  ///
  /// - Parameters:
  ///   - isNorthUp: whether the path's X is north and its Y west.
  ///   - origin: the log's time from which round times count, s.
  ///   - longestGap: s; a path is broken where nothing is told for longer.
  ///   - moments: in order of time; what is not finite is left out.
  package init(isNorthUp: Bool, origin: Double, longestGap: Double, moments: some Sequence<Moment>) {
    self.isNorthUp = isNorthUp
    let known = moments.filter { [$0.time, $0.position.x, $0.position.y].allSatisfy(\.isFinite) }
    guard let first = known.first, let last = known.last else { return }
    let places = known.map { place(of: $0.position) }
    let (across, up) = (Self.extent(places.map(\.x)), Self.extent(places.map(\.y)))
    span = max(across, up)
    addLine(known, places, origin: origin, longestGap: longestGap)
    addBand(known, places)
    (start, end) = (places[0], places[places.count - 1])
    let reach = self.reach(last.sigma)
    endReach = Vector3(reach.x, reach.y, last.sigma.z * Self.lineFactor)
    if reach.x.isFinite, reach.y.isFinite {
      endOutline = Self.ellipse(places[places.count - 1], reach, Self.endCorners)
    }
    addDots(known, places)
    addHeights(known, since: first.time)
  }

  private static func extent(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }

  /// A place of the map.
  package func place(of position: Vector3) -> Place {
    isNorthUp ? (-position.y, position.x) : (position.x, position.y)
  }

  private func reach(_ sigma: Vector3) -> Place {
    let (x, y) = isNorthUp ? (sigma.y, sigma.x) : (sigma.x, sigma.y)
    return (x * Self.planeFactor, y * Self.planeFactor)
  }

  // MARK: From above

  private mutating func addLine(_ moments: [Moment], _ places: [Place], origin: Double, longestGap: Double) {
    let (first, last) = (moments[0].time - origin, moments[moments.count - 1].time - origin)
    let step = Self.roundTime(atLeast: (last - first) / Self.stretchCount)
    let least = span * Self.resolution
    var kept = places[0]
    for index in moments.indices {
      let (time, place) = (moments[index].time, places[index])
      let from = ((time - origin) / step).rounded(.down) * step + origin
      let isBroken = index > 0 && time - moments[index - 1].time > longestGap
      let isNew = stretches.last.map { from > $0.from + step / 2 } ?? true
      let isLast = index == moments.count - 1
      guard isNew || isBroken || isLast || hypot(place.x - kept.x, place.y - kept.y) >= least else { continue }
      if isNew {
        // The stretch before goes on to where the next begins, unless nothing is known between.
        if !stretches.isEmpty, !isBroken { append(time, place) }
        stretches.append(Stretch(from: from, to: from + step))
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

  /// A second, a minute or an hour, or a round number of them.
  static func roundTime(atLeast time: Double) -> Double {
    let rounds = [
      0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200,
    ]
    return rounds.first { $0 >= time } ?? (time / 86_400).rounded(.up) * 86_400
  }

  /// Hulls of neighbouring ellipses.
  private mutating func addBand(_ moments: [Moment], _ places: [Place]) {
    let way = zip(places, places.dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
    let least = max(span / 100, way / Self.mostOutlines)
    var last: (place: Place, reach: Place)?
    for index in moments.indices {
      let (place, reach) = (places[index], reach(moments[index].sigma))
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
        moved >= max(least, min(before.reach.x, before.reach.y) / 2) || grown > least * 2
          || index == moments.count - 1
      else { continue }
      band.append(Self.hull(Self.ellipse(before.place, before.reach) + Self.ellipse(place, reach)))
      last = (place, reach)
    }
  }

  /// Corners counted from across, to the left.
  private static func ellipse(_ centre: Place, _ reach: Place, _ corners: Int = corners) -> [Place] {
    (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      return (centre.x + reach.x * cos(angle), centre.y + reach.y * sin(angle))
    }
  }

  /// The corners of the convex hull, to the left (Andrew 1979).
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

  /// A standstill of what has no steps is told from this time on, s.
  private static let leastStop = 2.0

  private mutating func addDots(_ moments: [Moment], _ places: [Place]) {
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
      if moments[end].time - moments[begin].time >= Self.leastStop { stops.append(places[(begin + end) / 2]) }
      since = nil
    }
    // A foot stands once a stride; a walker is told to stand where no steps are.
    if steps.isEmpty {
      (dotName, dots) = stops.isEmpty ? ("", []) : ("stop", stops)
    } else {
      (dotName, dots) = 2 * stances.count > steps.count ? ("stance", stances) : ("step", steps)
    }
  }

  /// The dots, where half of them or more are further from the one before than so many metres; else none, as they would be
  /// a line.
  package func dots(apart least: Double) -> [Place] {
    let ways = zip(dots, dots.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }
    return 2 * ways.count { $0 >= least } >= ways.count ? dots : []
  }

  // MARK: Over time

  /// Heights are so much of the whole time apart, and no more than so many seconds, as floors are found in them.
  private static let heightShare = 1.0 / 2000
  private static let heightStep = 0.8

  private mutating func addHeights(_ moments: [Moment], since start: Double) {
    let least = min((moments[moments.count - 1].time - start) * Self.heightShare, Self.heightStep)
    for (index, moment) in moments.enumerated() where moment.position.z.isFinite {
      let isDue = times.last.map { moment.time - $0 >= least } ?? true
      guard isDue || index == moments.count - 1 else { continue }
      times.append(moment.time)
      heights.append(moment.position.z)
      heightReaches.append(moment.sigma.z * Self.lineFactor)
    }
  }

  /// Whether anything tells the height: a path of steps stays at 0.
  package var knowsHeight: Bool { heights.contains { abs($0) > 1e-6 } }

  /// Heights at which the path stays between ways up or down of a floor, as `FloorDetector` finds them in it.
  package var levels: [Level] {
    var detector = FloorDetector()
    var ways: [FloorEvent] = []
    for (time, height) in zip(times, heights) {
      if let way = detector.update(altitude: height, filtered: height, at: time) { ways.append(way) }
    }
    return Self.levels(between: ways + detector.finish(), times: times, heights: heights)
  }

  /// Heights between ways up or down of a floor; empty where there is no way.
  ///
  /// - Parameters:
  ///   - ways: in order of time.
  ///   - times: s.
  ///   - heights: m, one for each time.
  package static func levels(between ways: [FloorEvent], times: [Double], heights: [Double]) -> [Level] {
    guard let first = times.first, let last = times.last, !ways.isEmpty else { return [] }
    let edges = [first] + ways.flatMap { [$0.start, $0.end] } + [last]
    return stride(from: 0, to: edges.count - 1, by: 2).compactMap { place in
      let (from, to) = (edges[place], edges[place + 1])
      let inside = zip(times, heights).filter { $0.0 >= from && $0.0 <= to && $0.1.isFinite }.map(\.1).sorted()
      guard to > from, !inside.isEmpty else { return nil }
      return Level(from: from, to: to, height: inside[inside.count / 2])
    }
  }
}
