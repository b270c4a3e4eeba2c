internal import InertialEvaluation
public import InertialFilters
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors

extension TuningRecording {
  /// The figures of a filter with given settings; nil where it has no finite estimate at one of the judged times.
  public func figures(of kind: FilterKind, settings: [String: Double] = [:]) throws(FilterSettingError)
    -> ErrorFigures?
  {
    let filter = try kind.make(settings, headingReference: headingReference)
    return try path(feed.orientations(of: filter), kind, settings).flatMap(figures)
  }

  /// The error of a filter with given settings; infinite where there is none, or where the filter does not take them.
  func error(of kind: FilterKind, settings: [String: Double], _ objective: TuningObjective) -> Double {
    guard let filter = try? kind.make(settings, headingReference: headingReference),
      let path = (try? path(feed.orientations(of: filter), kind, settings)) ?? nil, let errors = errorRotations(path)
    else { return .infinity }
    return switch objective {
    case .total: rootMeanSquare(errors, OrientationError.total)
    case .heading: rootMeanSquare(errors, OrientationError.heading)
    case .inclination: rootMeanSquare(errors, OrientationError.inclination)
    }
  }

  // MARK: Steps

  private var headingReference: HeadingReference {
    configuration.frame.isNorthReferenced ? .magneticNorth : .initialHeading
  }

  /// A filter's orientations as the estimator gives them.
  private struct Path {
    /// Up to the first that the filter has settled for.
    var start: [Quaternion]
    /// The filter's own, of every row.
    var own: [Quaternion]
    /// The estimator turns the filter's earth frame to the asked one, by a rotation that stays.
    var frameRotation: Quaternion

    subscript(row: Int) -> Quaternion {
      let orientation = row < start.count ? start[row] : frameRotation * own[row]
      return orientation.normalized ?? orientation
    }
  }

  private func path(_ own: [Quaternion], _ kind: FilterKind, _ settings: [String: Double])
    throws(FilterSettingError) -> Path?
  {
    let start = try startMotions(kind, settings)
    guard let known = start.last, own.count == rowCount else { return nil }
    return Path(
      start: start, own: own,
      frameRotation: configuration.frame == .xMagneticNorthZVertical
        ? .identity : known * own[start.count - 1].conjugate)
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

  private func figures(_ path: Path) -> ErrorFigures? {
    guard let errors = errorRotations(path) else { return nil }
    return ErrorFigures(
      total: rootMeanSquare(errors, OrientationError.total), heading: rootMeanSquare(errors, OrientationError.heading),
      inclination: rootMeanSquare(errors, OrientationError.inclination))
  }

  /// The error rotation of each meeting; nil where an estimate is not finite.
  private func errorRotations(_ path: Path) -> [Quaternion]? {
    var errors: [Quaternion] = []
    errors.reserveCapacity(meetings.count)
    guard alignment != .none else {
      for meeting in meetings {
        guard let estimate = estimate(path, at: meeting) else { return nil }
        errors.append(estimate * meeting.reference.conjugate)
      }
      return errors
    }
    var pairs: [(estimate: Quaternion, reference: Quaternion)] = []
    pairs.reserveCapacity(meetings.count)
    for meeting in meetings {
      guard let estimate = estimate(path, at: meeting) else { return nil }
      pairs.append((estimate, meeting.reference))
    }
    let fit = OrientationAlignment.fit(alignment, to: pairs)
    for pair in pairs { errors.append(fit.apply(pair.estimate) * pair.reference.conjugate) }
    return errors
  }

  @inline(__always)
  private func estimate(_ path: Path, at meeting: Meeting) -> Quaternion? {
    guard meeting.after < path.own.count else { return nil }
    var estimate = path[meeting.after]
    if let fraction = meeting.fraction { estimate = path[meeting.after - 1].slerp(to: estimate, fraction: fraction) }
    // Also false for a norm that is not a number.
    return estimate.squaredNorm > 0.5 && estimate.isFinite ? estimate : nil
  }

  /// Of angles in radians, in degrees.
  @inline(__always)
  private func rootMeanSquare(_ errors: [Quaternion], _ angle: (Quaternion) -> Double) -> Double {
    var sum = 0.0
    for error in errors {
      let degrees = angle(error) * (180 / Double.pi)
      sum += degrees * degrees
    }
    return (sum / Double(errors.count)).squareRoot()
  }
}
