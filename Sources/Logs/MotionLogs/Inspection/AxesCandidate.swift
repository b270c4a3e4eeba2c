internal import InertialNumerics
internal import InertialSensors

/// A mapping of a sensor's axes, and its agreement with another sensor.
struct AxesCandidate {
  /// The mapping from the sensor's vectors to those of the other sensor.
  var axes: SignedAxes
  /// The positive factor to apply to the sensor's vectors.
  var scale: Double
  /// The fraction of the other sensor's vectors, or of their squared changes, that is explained, 0...1.
  var fraction: Double
  /// The constant part of the other sensor's direction in the device, in its unit; zero if it is not estimated.
  var offset = Vector3.zero
}
