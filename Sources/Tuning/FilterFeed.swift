internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import LinearAlgebra
internal import Rotations
internal import Sensors
internal import Synchronization

/// What a `DeviceMotionEstimator` gives its filter: which samples it accepts, and the field as it calibrates it, do not
/// depend on the filter. So what is noted once can be given to any filter with any parameters.
enum FilterFeed: Sendable {
  /// Samples of one time are in the order of `AttitudeFilter.estimates(of:)`, and the columns are checked.
  case columns(MotionColumns)
  /// In an order of their own.
  case inputs([FilterInput])

  init(of samples: [SensorSample], _ configuration: DeviceMotionEstimator.Configuration) {
    let filter = ListeningFilter(parameters: ListeningFilter.Parameters())
    var estimator = DeviceMotionEstimator(filter: filter, configuration: configuration)
    for sample in samples { estimator.append(sample) }
    self.init(filter.heard.inputs.withLock { $0 })
  }

  init(_ inputs: [FilterInput]) {
    var columns = MotionColumns()
    for input in inputs {
      switch input.kind {
      case .gyroscope: columns.gyroscope.append(input.vector, at: input.time)
      case .accelerometer: columns.accelerometer.append(input.vector, at: input.time)
      case .magneticField: columns.magneticField.append(input.vector, at: input.time)
      }
    }
    let isInOrder = zip(inputs, inputs.dropFirst()).allSatisfy {
      ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue)
    }
    self = isInOrder && (try? columns.check()) != nil ? .columns(columns) : .inputs(inputs)
  }

  /// The times of the estimates.
  var rowTimes: [Double] {
    switch self {
    case .columns(let columns): columns.gyroscope.times
    case .inputs(let inputs): inputs.filter { $0.kind == .gyroscope }.map(\.time)
    }
  }

  /// A filter's own orientation at each gyroscope sample, when all samples of that time are in; not a number, or nothing
  /// that means anything, where it is not known.
  func orientations<Filter: AttitudeFilter>(of filter: Filter) -> [Quaternion] {
    var filter = filter
    switch self {
    case .columns(let columns):
      guard let estimates = try? filter.estimates(of: columns) else { return [] }
      return estimates.quaternions
    case .inputs(let inputs):
      var orientations: [Quaternion] = []
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
}

/// One call of a filter's update.
struct FilterInput: Sendable {
  /// In the order in which samples of one time are taken.
  enum Kind: Int, Sendable { case gyroscope, accelerometer, magneticField }

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
