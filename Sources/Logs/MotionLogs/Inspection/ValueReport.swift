internal import InertialNumerics
internal import InertialSensors

/// The magnitudes of a channel's values.
package struct ValueReport: Sendable, Equatable, Codable {
  package private(set) var count = 0
  /// The mean norm of the vectors, in the channel's unit.
  package private(set) var meanNorm = 0.0
  /// The largest absolute component, and the number of samples that reach it. A large number indicates clipping.
  package private(set) var largestComponent = 0.0
  package private(set) var atLargest = 0
  /// The longest run of samples with exactly equal values, as from a sensor that sleeps or is held.
  package private(set) var longestConstantRun = 0
  private var run = 0
  private var last = Vector3.zero

  mutating func add(_ sample: SensorSample) {
    let vector = sample.vector
    count += 1
    meanNorm += (vector.norm - meanNorm) / Double(count)
    let largest = vector.maximumMagnitude
    if largest > largestComponent {
      largestComponent = largest
      atLargest = 1
    } else if largest == largestComponent {
      atLargest += 1
    }
    run = count > 1 && vector == last ? run + 1 : 1
    longestConstantRun = max(longestConstantRun, run)
    last = vector
  }

  private enum CodingKeys: CodingKey {
    case count, meanNorm, largestComponent, atLargest, longestConstantRun
  }
}
