internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

extension UnsafePointer<DeviceMotion> {
  // Through a pointer, as a motion is copied for the call of a method.
  /// Sets the motion's values in a row of all columns: `FusedColumn.all`, `FusedColumn.recognised` (not set here) and
  /// `FusedColumn.innovations`. NaN is an empty field.
  ///
  /// - Parameters:
  ///   - segment: The number of the motion's segment between gaps.
  ///   - hasAngles: Whether Euler angles are computed. They take as long as all other columns together.
  ///   - hasInnovations: Whether the outcomes of measurements are set.
  ///   - hasTrust: Whether the reliability is set.
  ///   - needsNorth: Whether the frame's X points north.
  func fill(
    _ values: inout [Double], segment: Double, hasAngles: Bool, hasInnovations: Bool, hasTrust: Bool, needsNorth: Bool
  ) {
    guard !pointee.isUnknown else {
      // Without a motion estimate, all fields except the time, the status and the segment are empty.
      for index in values.indices { values[index] = .nan }
      (values[0], values[28], values[29]) = (pointee.time, Double(pointee.flags.rawValue), segment)
      return
    }
    values.withUnsafeMutableBufferPointer { values in
      values[0] = pointee.time
      let q = pointee.attitude.quaternion
      (values[1], values[2], values[3], values[4]) = (q.x, q.y, q.z, q.w)
      if hasAngles {
        let angles = pointee.attitude.eulerAngles
        (values[5], values[6], values[7]) = (angles.roll, angles.pitch, angles.yaw)
      }
      values.set(8, pointee.gravity)
      values.set(11, pointee.userAcceleration)
      values.set(14, pointee.rotationRate)
      values.set(17, pointee.magneticField)
      values[20] = Double(pointee.magneticFieldAccuracy.rawValue)
      values[21] = pointee.heading
      values.set(22, pointee.attitudeSigma)
      values.set(25, pointee.gyroscopeBias)
      values[28] = Double(pointee.flags.rawValue)
      values[29] = segment
    }
    if hasTrust {
      let sigma = pointee.attitudeSigma.map { (x: $0.x, y: $0.y, z: $0.z) } ?? (.nan, .nan, .nan)
      let trust = AttitudeTrust(
        pointee.flags, sigmas: sigma, isOutlier: pointee.measurements?.contains { $0.testRatio ?? 0 > 1 } ?? false,
        lacksNorth: needsNorth && pointee.heading < 0)
      let first = FusedColumn.trust[0].index
      (values[first], values[first + 1]) = (Double(trust.level.rawValue), Double(trust.rawValue))
    }
    guard hasInnovations else { return }
    for index in FusedColumn.firstInnovation..<values.count { values[index] = .nan }
    // The last outcome wins if there are several of one kind.
    for outcome in pointee.measurements ?? [] { outcome.fill(&values) }
  }
}

extension UnsafeMutableBufferPointer<Double> {
  @inline(__always)
  fileprivate func set(_ index: Int, _ vector: Vector3?) {
    self[index] = vector?.x ?? .nan
    self[index + 1] = vector?.y ?? .nan
    self[index + 2] = vector?.z ?? .nan
  }
}
