internal import InertialFilters
internal import InertialFusion
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import Synchronization

/// What a `DeviceMotionEstimator` gives its filter: which samples it accepts, and the field as it calibrates it, do not
/// depend on the filter. So what is noted once can be given to any filter with any parameters.
struct FilterFeed: Sendable {
  private let inputs: [FilterInput]
  /// The gyroscope's times, each once: those of the estimates.
  let rowTimes: [Double]

  init(of samples: [SensorSample], _ configuration: DeviceMotionEstimator.Configuration) {
    let filter = ListeningFilter(parameters: ListeningFilter.Parameters())
    var estimator = DeviceMotionEstimator(filter: filter, configuration: configuration)
    for sample in samples { estimator.append(sample) }
    inputs = filter.heard.inputs.withLock { $0 }
    var times: [Double] = []
    for input in inputs where input.kind == .gyroscope && times.last != input.time { times.append(input.time) }
    rowTimes = times
  }

  /// A filter's own orientation at each gyroscope sample, when all samples of that time are in; the identity where it is
  /// not known.
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
      switch input.kind {
      case .gyroscope:
        filter.update(gyroscope: input.vector, at: input.time)
        open = input.time
      case .accelerometer: filter.update(accelerometer: input.vector, at: input.time)
      case .magneticField: filter.update(magneticField: input.vector, at: input.time)
      }
    }
    if open != nil { orientations.append(filter.estimate?.earthFromDevice ?? .identity) }
    return orientations
  }
}

/// One call of a filter's update.
struct FilterInput: Sendable {
  enum Kind: Sendable { case gyroscope, accelerometer, magneticField }

  var kind: Kind
  var time: Double
  var vector: Vector3
}

/// A filter that estimates nothing and notes down what it is given.
private struct ListeningFilter: AttitudeFilter {
  struct Parameters: FilterParameters {
    var headingReference = HeadingReference.magneticNorth
    static var descriptions: [ParameterDescription<Self>] { [] }
  }

  struct State: Sendable, Codable, Equatable {}

  /// Shared by all copies of the filter.
  final class Notes: Sendable {
    let inputs = Mutex<[FilterInput]>([])
  }

  static let name = "listening"
  static let traits: FilterTraits = []
  let heard = Notes()
  let parameters: Parameters
  let state = State()

  init(parameters: Parameters) { self.parameters = parameters }
  init(parameters: Parameters, state: State) { self.parameters = parameters }

  func update(gyroscope: Vector3, at time: Double) { note(.gyroscope, gyroscope, time) }
  func update(accelerometer: Vector3, at time: Double) { note(.accelerometer, accelerometer, time) }
  func update(magneticField: Vector3, at time: Double) { note(.magneticField, magneticField, time) }

  private func note(_ kind: FilterInput.Kind, _ vector: Vector3, _ time: Double) {
    heard.inputs.withLock { $0.append(FilterInput(kind: kind, time: time, vector: vector)) }
  }

  var estimate: AttitudeEstimate? { nil }
}
