package import InertialNumerics

/// The times at which the device was at rest, and the sensor errors at rest.
package struct RestReport: Sendable, Equatable, Codable {
  /// The start and end of each rest of two seconds or more, in seconds.
  package internal(set) var phases: [Phase] = []
  /// The mean rate at rest, which is the gyroscope's bias, in rad/s, or `nil` without rest.
  package internal(set) var gyroscopeBias: Vector3?
  /// The mean norm of the acceleration at rest, in g: 1 for a calibrated sensor.
  package internal(set) var accelerationNorm: Double?
  /// The difference between the mean rates of the last and the first rest, in rad/s, or `nil` with fewer than two
  /// rests.
  package internal(set) var biasChange: Vector3?

  /// A time at rest.
  package struct Phase: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
  }
}
