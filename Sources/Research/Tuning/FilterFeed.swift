internal import InertialFilters
internal import InertialFusion
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import Synchronization

/// The input that a `DeviceMotionEstimator` passes to its filter. The accepted samples and the calibrated field do not
/// depend on the filter, so a recorded input can be passed to any filter with any parameters.
struct FilterFeed: Sendable {
  /// The samples in the order of the calls. All fields have one channel.
  private let inputs: [SensorSample]
  /// The distinct times of the gyroscope samples, at which the estimates are made.
  let rowTimes: [Double]

  init(of samples: [SensorSample], _ configuration: DeviceMotionEstimator.Configuration) {
    let filter = InputRecordingFilter(parameters: InputRecordingFilter.Parameters())
    var estimator = DeviceMotionEstimator(filter: filter, configuration: configuration)
    for sample in samples { estimator.append(sample) }
    inputs = filter.heard.inputs.withLock { $0 }
    var times: [Double] = []
    for input in inputs where input.channel == .gyroscope && times.last != input.time { times.append(input.time) }
    rowTimes = times
  }

  /// Returns a filter's own orientation at each gyroscope sample, after all samples with that time; the identity if it
  /// is unknown.
  func orientations<Filter: AttitudeFilter>(of filter: Filter) -> [Quaternion] {
    var filter = filter
    var orientations: [Quaternion] = []
    orientations.reserveCapacity(rowTimes.count)
    var open: Double?
    for input in inputs {
      if let time = open, input.time > time {
        orientations.append(filter.estimate?.earthFromDevice ?? .identity)
        open = nil
      }
      switch input.channel {
      case .gyroscope:
        filter.update(gyroscope: input.vector, at: input.time)
        open = input.time
      case .accelerometer: filter.update(accelerometer: input.vector, at: input.time)
      default: filter.update(magneticField: input.vector, at: input.time)
      }
    }
    if open != nil { orientations.append(filter.estimate?.earthFromDevice ?? .identity) }
    return orientations
  }
}

/// A filter that estimates nothing and records its input.
private struct InputRecordingFilter: AttitudeFilter {
  struct Parameters: FilterParameters {
    var headingReference = HeadingReference.magneticNorth
    static var descriptions: [ParameterDescription<Self>] { [] }
  }

  struct State: Sendable, Codable, Equatable {}

  /// The record, shared by all copies of the filter.
  final class InputLog: Sendable {
    let inputs = Mutex<[SensorSample]>([])
  }

  static let name = "listening"
  static let traits: FilterTraits = []
  let heard = InputLog()
  let parameters: Parameters
  let state = State()

  init(parameters: Parameters) { self.parameters = parameters }
  init(parameters: Parameters, state: State) { self.parameters = parameters }

  func update(gyroscope: Vector3, at time: Double) { note(.gyroscope, gyroscope, time) }
  func update(accelerometer: Vector3, at time: Double) { note(.accelerometer, accelerometer, time) }
  func update(magneticField: Vector3, at time: Double) { note(.calibratedMagneticField, magneticField, time) }

  private func note(_ channel: SensorChannel, _ vector: Vector3, _ time: Double) {
    heard.inputs.withLock { $0.append(SensorSample(time: time, channel: channel, vector)) }
  }

  var estimate: AttitudeEstimate? { nil }
}
