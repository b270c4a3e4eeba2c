internal import InertialNumerics
internal import InertialSystem

/// The path of a person by steps and headings, from a device that is carried: in a hand, a pocket, a bag, on the body.
///
/// A step's direction is that of the device turned about the vertical since the start, so that its orientation does not
/// matter; while it is taken up or put away, the person is taken to walk straight on. Without a field the gyroscope alone
/// holds the direction. What it drifts by is seen at rest, and by straight ways (`WalkingDrift`); ways at right angles correct it
/// where enough of them agree (`StraightWays`). The height is a barometer's, where there is one; steps tell none.
public struct StepTracker: Sendable {
  /// What a user may set.
  public struct Parameters: Sendable, Equatable {
    /// The person's, m.
    public var height = 1.7
    /// A step's length over its cadence, m s, of a person of 1.70 m: the walk ratio, which hardly differs between adults and
    /// speeds (Sekiya and Nagasaki, "Reproducibility of the walking patterns of normal young adults", Gait and Posture 7
    /// (1998): 0.0065 m per step a minute).
    public var walkRatio = 0.39
    /// How much a person's steps differ from that, as a share.
    package var lengthSigma = 0.1
    /// How much one step differs from the others, as a share.
    package var stepSigma = 0.05
    /// Whether straight ways may correct the direction.
    public var usesStraightWays = true

    /// The defaults.
    public init() {}
  }

  /// What the tracker runs with.
  public let parameters: Parameters
  /// The path so far, up to the latest moment; nil before the first.
  public private(set) var estimate: TrackEstimate?

  private var heading = CarriedHeading()
  private var heights: WalkedHeights
  /// The last seconds, for steps that are told late: directions, and how far a walk at a speed of one would have gone.
  private var recent: [(time: Double, reading: CarriedHeading.Reading, way: Vector3)] = []
  /// The last for the cadence; all where the trace is kept.
  private var steps: [Step] = []
  private var stepCount = 0
  private let keepsTrace: Bool
  private var ways = StraightWays()
  /// The path by the directions as they are, and as straight ways correct them: up to the way that is being walked, and of it.
  private var plain = Vector3.zero
  private var settled = Vector3.zero
  private var current = Vector3.zero
  /// What straight ways take off directions now, rad, and how well that is known; they are believed where it is.
  private var correction = 0.0
  private var correctionSigma: Double?
  /// Sum of the steps' lengths, m.
  package private(set) var way = 0.0
  private var speed = 0.0
  /// Sum of the steps' lengths times how much each is off in its direction, m.
  private var sideways = 0.0
  /// How late the last step was told, s.
  private var lateness = 0.0

  /// A step: when it ended, what it took, and where it went.
  struct Step: Sendable, Equatable {
    var time: Double
    var duration: Double
    /// m.
    var length: Double
    /// From the frame's X, rad, unwrapped; and as the gyroscope told it.
    var direction: Double
    var reading: CarriedHeading.Reading
  }

  /// A tracker at its start.
  ///
  /// - Parameters:
  ///   - parameters: the settings of the tracker.
  ///   - keepsTrace: whether `smoothed` is wanted, which takes about 100 bytes a step.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    self.keepsTrace = keepsTrace
    heights = WalkedHeights(keepsTrace: keepsTrace)
  }

  /// How late steps are told at most, s.
  private static let memory = 6.0
  /// Steps that a cadence is the median of.
  private static let cadenceSteps = 11
  /// A step is of a walk where it follows within this time, s.
  private static let longestStep = 1.5

  /// Takes the next moment.
  public mutating func update(_ sample: TrackSample) {
    heading.update(sample)
    let ahead = Vector3(cos(heading.direction), sin(heading.direction), 0)
    let dt = recent.last.map { min(max(sample.time - $0.time, 0), Self.longestStep) } ?? 0
    recent.append((sample.time, heading.reading, (recent.last?.way ?? .zero) + ahead * dt))
    if recent[0].time < sample.time - 2 * Self.memory { recent.removeFirst { $0.time < sample.time - Self.memory } }
    // Steps are told late: until the next should have been told, the person walks on, whatever turns the device tells.
    let since = steps.last.map { sample.time - $0.time } ?? .infinity
    let isWalking = since < lateness + Self.longestStep
    let further = isWalking ? speed * (recent[recent.count - 1].way - wayAtLastStep) : .zero
    let turn = correctionSigma == nil ? 0 : correction
    var now = TrackEstimate(
      time: sample.time, position: position + Self.turned(further, by: -turn),
      velocity: isWalking ? Self.turned(ahead * speed, by: -turn) : .zero, positionSigma: sigmas,
      velocitySigma: Vector3(repeating: max(0.1, parameters.lengthSigma * speed)), isStanding: !isWalking,
      stepCount: stepCount)
    heights.level(&now)
    estimate = now
  }

  /// Takes a height, for the moments from its time on; the first is the start's.
  public mutating func update(_ reading: HeightReading) { heights.add(reading) }

  /// Up to the last step that was told.
  private var position: Vector3 {
    correctionSigma == nil ? plain : settled + Self.turned(current, by: -correction)
  }

  /// How far a walk at a speed of one had gone by the last step.
  private var wayAtLastStep: Vector3 {
    guard let time = steps.last?.time else { return .zero }
    return recent.last { $0.time <= time }?.way ?? recent[0].way
  }

  private static func turned(_ v: Vector3, by angle: Double) -> Vector3 {
    let (c, s) = (cos(angle), sin(angle))
    return Vector3(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
  }

  /// Takes a step; steps come in order of time, up to six seconds late.
  ///
  /// - Parameters:
  ///   - time: when the foot was set down, s.
  ///   - duration: since the step before, or a period of the gait, s.
  public mutating func step(at time: Double, duration: Double) {
    let span = min(max(duration, 0.25), Self.longestStep)
    let reading = reading(from: time - span, to: time)
    heading.step(reading)
    let direction = heading.direction(of: reading)
    let cadences = (steps.suffix(Self.cadenceSteps - 1).map(\.duration) + [span]).sorted()
    let length = parameters.walkRatio * (parameters.height / 1.7) / cadences[cadences.count / 2]
    let step = Step(time: time, duration: span, length: length, direction: direction, reading: reading)
    if !keepsTrace, steps.count >= Self.cadenceSteps { steps.removeFirst() }
    steps.append(step)
    stepCount += 1
    way += length
    sideways += length * min(heading.sigma(of: reading), 1)
    speed = length / span
    lateness = max(0, (recent.last?.time ?? time) - time)
    let vector = length * Vector3(cos(direction), sin(direction), 0)
    plain += vector
    guard parameters.usesStraightWays else { return }
    if ways.add(step) {
      settled += Self.turned(current, by: -correction)
      current = .zero
    }
    current += vector
    if let latest = ways.latest {
      correction = latest.correction.angle
      correctionSigma = latest.isBelieved ? latest.correction.sigma : nil
    }
  }

  /// The middle of what the gyroscope told of a step.
  private func reading(from start: Double, to end: Double) -> CarriedHeading.Reading {
    let hold = (recent.last { $0.time <= end } ?? recent.last)?.reading.hold
    let during = recent.lazy.filter { $0.time > start && $0.time <= end && $0.reading.hold == hold }.map(\.reading)
    let count = Double(during.count)
    guard count > 0, let hold else { return heading.reading }
    return CarriedHeading.Reading(
      turned: during.reduce(0) { $0 + $1.turned } / count, elapsed: during.reduce(0) { $0 + $1.elapsed } / count,
      hold: hold)
  }

  /// The position's standard deviation: lengths are wrong by one share for all, directions by what has drifted.
  private var sigmas: Vector3 {
    Self.sigma(
      parameters, position: position, way: way, sideways: correctionSigma.map { $0 * way } ?? sideways,
      count: stepCount)
  }

  /// - Parameter sideways: what the directions may have taken it aside, m, if all are off to one side.
  private static func sigma(
    _ parameters: Parameters, position: Vector3, way: Double, sideways: Double, count: Int
  ) -> Vector3 {
    let scale = parameters.lengthSigma
    // A direction that is off turns the way behind.
    let turn = way > 0 ? sideways / way : 0
    let own = parameters.stepSigma * parameters.stepSigma * 0.5 * Double(count)
    let (x, y) = (position.x, position.y)
    return Vector3(
      (scale * scale * x * x + turn * turn * (y * y + 0.1 * way * way) + own + 0.01).squareRoot(),
      (scale * scale * y * y + turn * turn * (x * x + 0.1 * way * way) + own + 0.01).squareRoot(),
      // Steps do not tell the height.
      0.1 + 0.02 * way)
  }

  /// The whole path by the whole recording, with the steps at their own times, and directions that straight ways correct;
  /// empty unless the trace was kept.
  ///
  /// - Parameter times: for which there is an estimate each, rising.
  public func smoothed(at times: [Double]) -> [TrackEstimate] {
    guard keepsTrace else { return [] }
    // What a way up has shown to drift is known for all of its steps.
    let steps = steps.map { step in
      var step = step
      step.direction = heading.direction(of: step.reading)
      return step
    }
    var ways = StraightWays(keepsTrace: true)
    for step in steps { _ = ways.add(step) }
    let corrections = parameters.usesStraightWays ? ways.corrections(of: steps) : nil
    var nodes: [TrackEstimate] = []
    var place = Vector3.zero
    var (way, sideways) = (0.0, 0.0)
    let zero = Vector3(repeating: 0.1)
    if let first = times.first {
      nodes.append(
        TrackEstimate(
          time: min(first, steps.first.map { $0.time - $0.duration } ?? first), position: .zero, velocity: .zero,
          positionSigma: zero, velocitySigma: zero, isStanding: true))
    }
    for (index, step) in steps.enumerated() {
      let direction = step.direction - (corrections?[index].angle ?? 0)
      let velocity = step.length / step.duration * Vector3(cos(direction), sin(direction), 0)
      if let last = nodes.last, step.time - step.duration > last.time + 1e-6 {
        var standing = last
        (standing.time, standing.velocity) = (step.time - step.duration, .zero)
        standing.isStanding = step.time - step.duration - last.time > 0.5
        nodes.append(standing)
      }
      place += step.length * Vector3(cos(direction), sin(direction), 0)
      way += step.length
      sideways += step.length * min(corrections?[index].sigma ?? heading.sigma(of: step.reading), 1)
      nodes.append(
        TrackEstimate(
          time: step.time, position: place, velocity: velocity,
          positionSigma: Self.sigma(parameters, position: place, way: way, sideways: sideways, count: index + 1),
          velocitySigma: Vector3(repeating: max(0.1, parameters.lengthSigma * velocity.norm)), stepCount: index + 1))
    }
    guard !nodes.isEmpty else { return [] }
    var index = 0
    var path = times.map { time in
      while index + 1 < nodes.count, nodes[index + 1].time <= time { index += 1 }
      if index + 1 < nodes.count {
        return nodes[index].interpolated(to: nodes[index + 1], at: max(time, nodes[index].time)).at(time)
      }
      var last = nodes[index].at(time)
      if time > nodes[index].time { (last.velocity, last.isStanding) = (.zero, true) }
      return last
    }
    heights.level(&path)
    return path
  }
}

extension TrackEstimate {
  fileprivate func at(_ time: Double) -> TrackEstimate {
    var copy = self
    copy.time = time
    return copy
  }
}

extension Array {
  /// Removes the elements at the front that a test holds for.
  fileprivate mutating func removeFirst(where isOld: (Element) -> Bool) {
    removeFirst(firstIndex { !isOld($0) } ?? count)
  }
}
