import Foundation
public import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
public import Testing

extension FilterKind: CustomTestStringConvertible {
  public var testDescription: String { name }

  /// Returns a filter of this kind with default parameters.
  func standard(headingReference: HeadingReference = .magneticNorth) -> any AttitudeFilter {
    try! make(headingReference: headingReference)
  }
}

extension AttitudeFilter {
  /// Processes a sample of a log. The raw field is used unchanged; other channels are ignored.
  mutating func take(_ sample: SensorSample) {
    switch sample.channel {
    case .gyroscope: update(gyroscope: sample.vector, at: sample.time)
    case .accelerometer: update(accelerometer: sample.vector, at: sample.time)
    case .magnetometer, .calibratedMagneticField: update(magneticField: sample.vector, at: sample.time)
    default: break
    }
  }

  mutating func take(_ samples: some Sequence<SensorSample>) { for sample in samples { take(sample) } }
}

extension AttitudeSmoother {
  mutating func take(_ sample: SensorSample) {
    switch sample.channel {
    case .gyroscope: update(gyroscope: sample.vector, at: sample.time)
    case .accelerometer: update(accelerometer: sample.vector, at: sample.time)
    default: update(magneticField: sample.vector, at: sample.time)
    }
  }

  /// Processes samples to their end and returns all estimates.
  mutating func estimates(of samples: some Sequence<SensorSample>) -> [TimedAttitudeEstimate] {
    var result: [TimedAttitudeEstimate] = []
    for sample in samples {
      take(sample)
      while let estimate = next() { result.append(estimate) }
    }
    finish()
    while let estimate = next() { result.append(estimate) }
    return result
  }
}

/// The error of an attitude relative to the ground truth, in degrees.
struct AttitudeError {
  /// The angle between the two verticals.
  let tilt: Double
  /// The signed angle of the remaining rotation about the vertical.
  let heading: Double
  let total: Double

  init(_ estimate: Quaternion, truth: Quaternion) {
    let error = estimate * truth.conjugate
    let degrees = 180 / Double.pi
    tilt = error.rotate(.unitZ).angle(to: .unitZ) * degrees
    heading = remainder(2 * atan2(error.z, error.w), 2 * .pi) * degrees
    total = error.angle * degrees
  }
}

/// The errors of a run at the gyroscope's times.
struct RunErrors {
  /// The largest value and the root mean square, in degrees.
  private(set) var largestTilt = 0.0
  private(set) var largestHeading = 0.0
  private var squaredTilt = 0.0
  private var squaredHeading = 0.0
  private var count = 0.0

  mutating func add(_ error: AttitudeError) {
    largestTilt = max(largestTilt, error.tilt)
    largestHeading = max(largestHeading, abs(error.heading))
    squaredTilt += error.tilt * error.tilt
    squaredHeading += error.heading * error.heading
    count += 1
  }

  var tiltRMS: Double { (squaredTilt / count).squareRoot() }
  var headingRMS: Double { (squaredHeading / count).squareRoot() }
}

extension AttitudeFilter {
  /// Processes samples, and passes each estimate at a gyroscope sample on, with its error.
  mutating func follow(
    _ samples: some Sequence<SensorSample>, on trajectory: any Trajectory,
    _ look: (_ time: Double, _ estimate: AttitudeEstimate, _ error: AttitudeError) throws -> Void
  ) rethrows {
    for sample in samples {
      take(sample)
      guard sample.channel == .gyroscope, let estimate else { continue }
      let truth = trajectory.state(at: sample.time).attitude
      try look(sample.time, estimate, AttitudeError(estimate.earthFromDevice, truth: truth))
    }
  }
}

/// Runs a filter over a simulation and compares it with the ground truth.
///
/// - Parameters:
///   - skip: The seconds at the start that do not count. The heading counts from there on: absolutely with a field,
///     relative to its value there without.
///   - samples: The input of the filter, if it differs from the simulation's.
@discardableResult
func run(
  _ filter: inout any AttitudeFilter, over simulation: Simulation, samples: [SensorSample]? = nil,
  skip: Double
) -> RunErrors {
  var errors = RunErrors()
  let hasField = simulation.sensors.magnetometer != nil
  var headingOffset = hasField ? 0.0 : Double?.none
  for sample in samples ?? simulation.samples() {
    filter.take(sample)
    guard sample.channel == .gyroscope, sample.time >= skip, let estimate = filter.estimate else { continue }
    let truth = simulation.trajectory.state(at: sample.time).attitude
    let error = AttitudeError(estimate.earthFromDevice, truth: truth)
    let offset = headingOffset ?? error.heading
    headingOffset = offset
    errors.add(AttitudeError(rotation(aboutZ: -offset) * estimate.earthFromDevice, truth: truth))
  }
  return errors
}

/// Returns a rotation about the vertical by an angle in degrees.
func rotation(aboutZ degrees: Double) -> Quaternion { Quaternion(angle: degrees * .pi / 180, axis: .unitZ) }

extension SensorSuite {
  /// Returns the suite as required by filters: a field calibrated by the device or none, rates over the time since the
  /// previous sample, and no ground truth among the samples.
  ///
  /// - Parameter rates: The rates of gyroscope, accelerometer and magnetometer, in Hz, if they differ from the suite's.
  func forFilters(hasField: Bool = true, rates: (Double, Double, Double)? = nil) -> SensorSuite {
    var suite = self
    suite.referenceRate = nil
    suite.magnetometer?.output = .calibrated
    if !hasField { suite.magnetometer = nil }
    if let rates {
      suite.gyroscope?.rate = rates.0
      suite.accelerometer?.rate = rates.1
      suite.magnetometer?.sensor.rate = rates.2
    }
    // The rate in the middle of the interval is the mean over it, to second order.
    if let rate = suite.gyroscope?.rate { suite.gyroscope?.delay = 0.5 / rate }
    return suite
  }
}

/// Returns whether two filters are in the same state to the last bit.
func haveSameState(_ a: any AttitudeFilter, _ b: any AttitudeFilter) -> Bool {
  func compare<Filter: AttitudeFilter>(_ a: Filter) -> Bool {
    guard let b = b as? Filter else { return false }
    return a.state == b.state && a.parameters == b.parameters && a.estimate == b.estimate
  }
  return compare(a)
}

/// Returns a filter encoded as JSON and decoded again.
func savedAndResumed(_ filter: any AttitudeFilter) throws -> any AttitudeFilter {
  try savedAndRestored(AnyAttitudeFilter(filter)).base
}
