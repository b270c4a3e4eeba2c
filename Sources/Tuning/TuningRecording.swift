public import AttitudeFilters
public import DeviceMotionEstimation
public import Evaluation
internal import Rotations
public import Sensors
internal import Signals

/// Which error a search makes small.
public enum TuningObjective: String, Sendable, Codable, CaseIterable {
  case total, heading, inclination
}

/// Root mean square errors of one filter on one recording, degrees.
public struct ErrorFigures: Sendable, Codable, Equatable {
  public var total: Double
  public var heading: Double
  public var inclination: Double

  public subscript(objective: TuningObjective) -> Double {
    switch objective {
    case .total: total
    case .heading: heading
    case .inclination: inclination
    }
  }
}

/// A recording with its reference, in memory and prepared to judge a filter many times.
///
/// Its figures are those of `OrientationComparison` on the motions of a `DeviceMotionEstimator`. Everything that does
/// not depend on the filter is computed once: the samples that reach it, the times of its estimates, and where they
/// meet the reference. What remains is the filter itself and the errors.
public struct TuningRecording: Sendable {
  public let name: String
  /// What is left out together in cross-validation, such as a person; nil = the recording on its own.
  public let group: String?
  private let samples: [SensorSample]
  private let configuration: DeviceMotionEstimator.Configuration
  private let alignment: AlignmentMode
  private let inputs: [FilterInput]
  private let meetings: [Meeting]

  /// Where a reference sample that counts meets the estimates.
  private struct Meeting: Sendable {
    /// The first estimate at or after the reference's time.
    var after: Int
    /// Between the estimate before and this one, 0 to 1; nil where this one is at the very time.
    var fraction: Double?
    var reference: Quaternion
  }

  /// - Parameters:
  ///   - movement: one flag for each sample of the reference; all count where absent.
  ///   - comparison: how errors are judged. A search of the clock's offset is not repeated for every estimate: it is
  ///     made beforehand, and its result given as `clockShift`.
  /// - Throws: `noCommonSamples` where nothing is left to judge.
  public init(
    name: String, group: String? = nil, samples: [SensorSample], reference: OrientationTrack,
    movement: [Bool]? = nil, configuration: DeviceMotionEstimator.Configuration,
    comparison: OrientationComparison.Options = OrientationComparison.Options()
  ) throws(EvaluationError) {
    if let movement, movement.count != reference.times.count {
      throw .countMismatch(times: reference.times.count, values: movement.count)
    }
    self.name = name
    self.group = group
    self.samples = samples
    self.configuration = configuration
    alignment = comparison.alignment
    inputs = FilterFeed.inputs(of: samples, configuration)
    let times = inputs.filter { $0.kind == .gyroscope }.map(\.time)
    meetings = Self.meetings(
      times, reference.converted(to: .nwu).shifted(by: -comparison.clockShift), movement, comparison)
    guard !meetings.isEmpty else { throw .noCommonSamples }
  }

  /// How many samples of the reference are judged.
  public var judgedCount: Int { meetings.count }

  /// The figures of a filter with given settings; nil where it has no finite estimate at one of the judged times.
  public func figures(of kind: FilterKind, settings: [String: Double] = [:]) throws(FilterSettingError)
    -> ErrorFigures?
  {
    let reference: HeadingReference = configuration.frame.isNorthReferenced ? .magneticNorth : .initialHeading
    let filter = try kind.make(settings, headingReference: reference)
    let own = estimates(of: filter)
    let start = try startMotions(kind, settings)
    guard let known = start.last else { return nil }
    // The estimator turns the filter's earth frame to the asked one, by a rotation that stays.
    let frameRotation: Quaternion =
      configuration.frame == .xMagneticNorthZVertical
      ? .identity : known * own[start.count - 1].conjugate
    let orientations = start + own.dropFirst(start.count).map { frameRotation * $0 }
    return figures(orientations.map { $0.normalized ?? $0 })
  }

  // MARK: Steps

  private static func meetings(
    _ times: [Double], _ reference: OrientationTrack, _ movement: [Bool]?,
    _ options: OrientationComparison.Options
  ) -> [Meeting] {
    guard let first = times.first, let firstReference = reference.times.first else { return [] }
    let start = max(first, firstReference) + options.skip
    var meetings: [Meeting] = []
    var after = 0
    for (index, time) in reference.times.enumerated() {
      while after < times.count, times[after] < time { after += 1 }
      guard after < times.count else { break }
      guard time >= start, reference.isValid(index), movement?[index] ?? true else { continue }
      var meeting = Meeting(after: after, fraction: nil, reference: reference.quaternions[index])
      if times[after] != time {
        guard after > 0 else { continue }
        let gap = times[after] - times[after - 1]
        guard gap <= options.maximumGap else { continue }
        meeting.fraction = (time - times[after - 1]) / gap
      }
      meetings.append(meeting)
    }
    return meetings
  }

  /// The filter's own orientation at each gyroscope sample, when all samples of that time are in.
  private func estimates<Filter: AttitudeFilter>(of filter: Filter) -> [Quaternion] {
    var filter = filter
    var estimates: [Quaternion] = []
    var open: Double?
    for input in inputs {
      if let time = open, input.time > time {
        estimates.append(filter.estimate?.earthFromDevice ?? .identity)
        open = nil
      }
      switch input.kind {
      case .gyroscope:
        filter.update(gyroscope: input.vector, at: input.time)
        open = input.time
      case .accelerometer: filter.update(accelerometer: input.vector, at: input.time)
      case .magneticField: filter.update(magneticField: input.vector, at: input.time)
      }
    }
    if open != nil { estimates.append(filter.estimate?.earthFromDevice ?? .identity) }
    return estimates
  }

  /// The estimator's own orientations up to the first that the filter has settled for: those before it come from it,
  /// carried back by the gyroscope.
  private func startMotions(_ kind: FilterKind, _ settings: [String: Double]) throws(FilterSettingError)
    -> [Quaternion]
  {
    var estimator = try DeviceMotionEstimator(filter: kind, settings: settings, configuration: configuration)
    var motions: [Quaternion] = []
    for sample in samples {
      estimator.append(sample)
      while let motion = estimator.next() {
        motions.append(motion.attitude.quaternion)
        if !motion.flags.contains(.converging) { return motions }
      }
    }
    estimator.finish()
    while let motion = estimator.next() { motions.append(motion.attitude.quaternion) }
    return motions
  }

  private func figures(_ orientations: [Quaternion]) -> ErrorFigures? {
    var pairs: [(estimate: Quaternion, reference: Quaternion)] = []
    pairs.reserveCapacity(meetings.count)
    for meeting in meetings {
      guard meeting.after < orientations.count else { return nil }
      var estimate = orientations[meeting.after]
      if let fraction = meeting.fraction {
        estimate = orientations[meeting.after - 1].slerp(to: estimate, fraction: fraction)
      }
      // Also false for a norm that is not a number.
      guard estimate.squaredNorm > 0.5, estimate.isFinite else { return nil }
      pairs.append((estimate, meeting.reference))
    }
    let fit = OrientationAlignment.fit(alignment, to: pairs)
    let isAligned = alignment != .none
    let errors = pairs.map {
      OrientationError(estimate: isAligned ? fit.apply($0.estimate) : $0.estimate, reference: $0.reference)
    }
    let degrees = 180 / Double.pi
    guard let total = Statistics.rootMeanSquare(errors.map { $0.total * degrees }),
      let heading = Statistics.rootMeanSquare(errors.map { $0.heading * degrees }),
      let inclination = Statistics.rootMeanSquare(errors.map { $0.inclination * degrees })
    else { return nil }
    return ErrorFigures(total: total, heading: heading, inclination: inclination)
  }
}
