internal import InertialEvaluation
public import InertialFilters
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors

extension TuningRecording {
  /// Returns the figures of a filter with given settings, or `nil` if it has no finite estimate at one of the evaluated
  /// times.
  public func figures(of kind: FilterKind, settings: [String: Double] = [:]) throws(SettingError)
    -> ErrorFigures?
  {
    let filter = try kind.make(settings, headingReference: headingReference)
    return try path(feed.orientations(of: filter), kind, settings).flatMap(figures)
  }

  /// Returns the error of a filter with given settings, or infinity if it has no finite estimate or does not accept the
  /// settings.
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

  /// A filter's orientations as output by the estimator.
  private struct Path {
    /// The orientations up to the first one after the filter has converged.
    var start: [Quaternion]
    /// The filter's own orientations for every row.
    var own: [Quaternion]
    /// The constant rotation from the filter's earth frame to the requested one, as applied by the estimator.
    var frameRotation: Quaternion

    subscript(row: Int) -> Quaternion {
      let orientation = row < start.count ? start[row] : frameRotation * own[row]
      return orientation.normalized ?? orientation
    }
  }

  private func path(_ own: [Quaternion], _ kind: FilterKind, _ settings: [String: Double])
    throws(SettingError) -> Path?
  {
    let start = try startMotions(kind, settings)
    guard let known = start.last, own.count == rowCount else { return nil }
    return Path(
      start: start, own: own,
      frameRotation: configuration.frame == .xMagneticNorthZVertical
        ? .identity : known * own[start.count - 1].conjugate)
  }

  /// Returns the estimator's own orientations up to the first one after the filter has converged: the orientations
  /// before it are derived from it by backward integration of the gyroscope.
  private func startMotions(_ kind: FilterKind, _ settings: [String: Double]) throws(SettingError)
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

  /// Returns the error rotation of each match, or `nil` if an estimate is not finite.
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
  private func estimate(_ path: Path, at meeting: ReferenceMatch) -> Quaternion? {
    guard meeting.after < path.own.count else { return nil }
    var estimate = path[meeting.after]
    if let fraction = meeting.fraction { estimate = path[meeting.after - 1].slerp(to: estimate, fraction: fraction) }
    // The comparison is also false for a NaN norm.
    return estimate.squaredNorm > 0.5 && estimate.isFinite ? estimate : nil
  }

  /// Returns the root mean square, in degrees, of angles in radians.
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
