internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

/// The path of a person from steps and headings, with a device in a hand, a pocket, a bag or on the body.
///
/// A step's direction is the device's rotation about the vertical since the start, regardless of its orientation. While
/// the device is taken up or put away, the person is assumed to walk straight. Without a magnetic field, the direction
/// depends on the gyroscope alone. Its drift is determined at rest and on straight segments (`DriftFilterBank`). Segments
/// at right angles correct the direction if enough of them agree (`HeuristicDriftElimination`). The height comes from a barometer,
/// if there is one.
public struct StepTracker: Sendable, Codable {
  /// The settings of the tracker.
  public struct Parameters: Sendable, Equatable, Codable {
    /// The standard deviation of a person's step length, as a fraction.
    package var lengthSigma = 0.1
    /// The standard deviation of a single step's length, as a fraction.
    package var stepSigma = 0.05
    /// Whether straight segments may correct the direction.
    public var usesStraightWays = true

    /// The default settings.
    public init() {}
  }

  /// The settings of the tracker.
  public let parameters: Parameters
  /// The causal path's newest estimate, or `nil` before the first sample.
  public private(set) var estimate: TrackEstimate?

  private var heading = PedestrianHeading()
  private var heights: WalkedHeights
  /// The direction at a time, and the displacement of a walk with unit speed.
  private struct Moment: Codable {
    var time: Double
    var reading: PedestrianHeading.Reading
    var way: Vector3
  }

  /// The directions of the last seconds, for late steps.
  private var recent: [Moment] = []
  /// The latest step, or all steps if the trace is kept.
  private var steps: [Step] = []
  private var stepCount = 0
  private let keepsTrace: Bool
  private var ways = HeuristicDriftElimination()
  /// The path with uncorrected directions; the corrected path up to the current segment; and the current segment.
  private var plain = Vector3.zero
  private var settled = Vector3.zero
  private var current = Vector3.zero
  /// The current correction of directions by straight segments, in radians, and its standard deviation, or `nil` if it
  /// is not applied.
  private var correction = 0.0
  private var correctionSigma: Double?
  /// The sum of the step lengths, in metres.
  package private(set) var way = 0.0
  private var speed = 0.0
  /// The sum of the step lengths times their direction errors, in metres.
  private var sideways = 0.0
  /// The delay of the last step's detection, in seconds.
  private var lateness = 0.0

  /// A step with its end, duration, length and direction.
  struct Step: Sendable, Equatable, Codable {
    var time: Double
    var duration: Double
    /// The length in metres.
    var length: Double
    /// The angle from the frame's X in radians, unwrapped, and the gyroscope's reading.
    var direction: Double
    var reading: PedestrianHeading.Reading
  }

  /// Creates a tracker.
  ///
  /// - Parameters:
  ///   - parameters: The settings of the tracker.
  ///   - keepsTrace: Whether to keep the data for `smoothed`, about 100 bytes per step.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    self.keepsTrace = keepsTrace
    heights = WalkedHeights(keepsTrace: keepsTrace)
  }

  /// The maximum delay of a step's detection, in seconds.
  private static let memory = 6.0
  /// The maximum interval between steps of a walk, in seconds.
  private static let maximumStepInterval = 1.5

  /// Adds the next sample.
  public mutating func update(_ sample: TrackSample) {
    guard sample.isPossible else { return }
    heading.update(sample)
    let ahead = Vector3(cos(heading.direction), sin(heading.direction), 0)
    let dt = recent.last.map { min(max(sample.time - $0.time, 0), Self.maximumStepInterval) } ?? 0
    recent.append(
      Moment(time: sample.time, reading: heading.reading, way: (recent.last?.way ?? .zero) + ahead * dt))
    if recent[0].time < sample.time - 2 * Self.memory { recent.removeFirst { $0.time < sample.time - Self.memory } }
    // Steps are detected late: until the next step is due, the person continues to walk, regardless of the device's
    // rotation.
    let since = steps.last.map { sample.time - $0.time } ?? .infinity
    let isWalking = since < lateness + Self.maximumStepInterval
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

  /// Adds a height, valid from its time on; the first one is the height of the start.
  public mutating func update(_ reading: HeightEstimate) { heights.add(reading) }

  /// The position at the last detected step.
  private var position: Vector3 {
    correctionSigma == nil ? plain : settled + Self.turned(current, by: -correction)
  }

  /// The displacement of a walk with unit speed up to the last step.
  private var wayAtLastStep: Vector3 {
    guard let time = steps.last?.time else { return .zero }
    return recent.last { $0.time <= time }?.way ?? recent[0].way
  }

  private static func turned(_ v: Vector3, by angle: Double) -> Vector3 {
    let (c, s) = (cos(angle), sin(angle))
    return Vector3(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
  }

  /// Adds a step. Steps are in chronological order and up to six seconds late.
  ///
  /// - Parameters:
  ///   - time: The time of foot contact, in seconds.
  ///   - duration: The time since the previous step, or the step period of the gait, in seconds.
  ///   - length: The length of the step, in metres.
  public mutating func step(at time: Double, duration: Double, length: Double) {
    var (span, length) = (min(max(duration, 0.25), Self.maximumStepInterval), length)
    // The path begins at the first sample, which may lie within a step.
    if stepCount == 0, let first = recent.first?.time, time > first, time - span < first {
      (span, length) = (time - first, length * (time - first) / span)
    }
    let reading = reading(from: time - span, to: time)
    heading.step(reading)
    let direction = heading.direction(of: reading)
    let step = Step(time: time, duration: span, length: length, direction: direction, reading: reading)
    if !keepsTrace { steps.removeAll(keepingCapacity: true) }
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

  /// Returns the mean gyroscope reading during a step.
  private func reading(from start: Double, to end: Double) -> PedestrianHeading.Reading {
    let hold = (recent.last { $0.time <= end } ?? recent.last)?.reading.hold
    let during = recent.lazy.filter { $0.time > start && $0.time <= end && $0.reading.hold == hold }.map(\.reading)
    let count = Double(during.count)
    guard count > 0, let hold else { return heading.reading }
    return PedestrianHeading.Reading(
      turned: during.reduce(0) { $0 + $1.turned } / count, elapsed: during.reduce(0) { $0 + $1.elapsed } / count,
      hold: hold)
  }

  /// The standard deviation of the position, from a common relative error of all lengths and the drift of the
  /// directions.
  private var sigmas: Vector3 {
    Self.sigma(
      parameters, position: position, way: way, sideways: correctionSigma.map { $0 * way } ?? sideways,
      count: stepCount)
  }

  /// - Parameter sideways: The lateral displacement, in metres, if all direction errors have the same sign.
  private static func sigma(
    _ parameters: Parameters, position: Vector3, way: Double, sideways: Double, count: Int
  ) -> Vector3 {
    let scale = parameters.lengthSigma
    // A direction error rotates the path walked so far.
    let turn = way > 0 ? sideways / way : 0
    let own = parameters.stepSigma * parameters.stepSigma * 0.5 * Double(count)
    let (x, y) = (position.x, position.y)
    return Vector3(
      (scale * scale * x * x + turn * turn * (y * y + 0.1 * way * way) + own + 0.01).squareRoot(),
      (scale * scale * y * y + turn * turn * (x * x + 0.1 * way * way) + own + 0.01).squareRoot(),
      // Steps contain no height information.
      0.1 + 0.02 * way)
  }

  /// The steps with the drift found in a hold of the device, which applies to all of them.
  private var correctedSteps: [Step] {
    steps.map { step in
      var step = step
      step.direction = heading.direction(of: step.reading)
      return step
    }
  }

  private static func ways(of steps: [Step]) -> HeuristicDriftElimination {
    var ways = HeuristicDriftElimination(keepsTrace: true)
    for step in steps { _ = ways.add(step) }
    return ways
  }

  /// The decision to use straight segments, or none if they are not used.
  package var decisions: [AutomaticDecision] {
    guard parameters.usesStraightWays else { return [] }
    return [keepsTrace ? Self.ways(of: correctedSteps).decision : ways.decision].compactMap(\.self)
  }

  /// Returns the smoothed path of the whole recording, with steps at their own times and directions corrected by
  /// straight segments; empty unless the trace was kept.
  ///
  /// - Parameter times: The times of the estimates, in ascending order.
  public func smoothed(at times: [Double]) -> [TrackEstimate] {
    guard keepsTrace else { return [] }
    let steps = correctedSteps
    let corrections = parameters.usesStraightWays ? Self.ways(of: steps).corrections(of: steps) : nil
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
  /// Removes the leading elements that satisfy a predicate.
  fileprivate mutating func removeFirst(where isOld: (Element) -> Bool) {
    removeFirst(firstIndex { !isOld($0) } ?? count)
  }
}
