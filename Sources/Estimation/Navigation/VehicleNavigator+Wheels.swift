internal import InertialNumerics
internal import InertialRotations

/// The non-holonomic constraint of a vehicle on wheels, 0 = aᵀ Rᵀ v + n for the vehicle's two axes a, in the device, that
/// are orthogonal to forward: equation (9) of docs/theory/error-state.md.
extension VehicleNavigator {
  /// Takes the lateral and vertical velocity in the vehicle's axes as zero.
  ///
  /// With d = R a, the derivatives are d × v by the attitude, d by the velocity, and a × Rᵀ v by the mounting. The noise
  /// n is the slip of the tyres, the pitch of the body on its springs, which grows with the speed, and the sideways
  /// motion of a device that is not over the rear axle, which grows with the rotation rate.
  ///
  /// - Parameter duration: The duration of the epoch, in seconds.
  mutating func takeWheels(over duration: Double) {
    guard usesWheels, isMounted else { return }
    let state = navigator.state
    let velocity = state.earthFromDevice.rotateInverse(state.velocity)
    let square =
      parameters.slip * parameters.slip + parameters.nod * parameters.nod * velocity.squaredNorm
      + parameters.lever * parameters.lever * turning / duration
    let variance = square * max(1, parameters.slipTime / duration)
    var measurement = ErrorMeasurement()
    measurement.append(Self.row(state, along: .unitY, variance: variance))
    measurement.append(Self.row(state, along: .unitZ, variance: variance))
    measurement.gate = .weaken(above: Self.gates.two)
    navigator.take(measurement)
  }

  /// Returns the measurement of the velocity along one axis of the vehicle.
  static func row(_ state: NavigationState, along axis: Vector3, variance: Double) -> MeasurementRow {
    let axis = state.deviceFromVehicle.rotate(axis)
    let direction = state.earthFromDevice.rotate(axis)
    var row = MeasurementRow(residual: -direction.dot(state.velocity), variance: variance)
    row.add(direction.cross(state.velocity), of: .attitude)
    row.add(direction, of: .velocity)
    row.add(axis.cross(state.earthFromDevice.rotateInverse(state.velocity)), of: .mounting)
    return row
  }
}
