// A complete filter in one file: its mathematics and parameters, fused over a log and evaluated beside built-in filters.
//
// usage: make script NAME=WriteAFilter
import Inertial

/// The gyroscope, corrected by a fraction of the errors of the measured gravity and the measured north.
struct Plumb: SteppedAlgorithm {
  static let name = "plumb"
  static let summary = "gyroscope with one time constant for gravity and north"
  static let source = "this script"
  static let traits: FilterTraits = [.accelerometer, .magneticField, .separatesHeading]

  struct Parameters: SteppedParameters {
    var timeConstant = 2.0
    var handling = HandlingParameters()
    var headingReference = HeadingReference.magneticNorth

    static let descriptions: [ParameterDescription<Self>] =
      [
        .init("timeConstant", \.timeConstant, "s", 0.01...1000, "Time constant; bigger trusts the gyroscope longer.")
      ] + HandlingParameters.descriptions(at: \.handling)
  }

  typealias State = AttitudeAndBias

  let parameters: Parameters

  func advance(_ state: inout State, by step: MotionStep) {
    // Predict: the device has rotated by ω dt.
    var attitude = state.earthFromDevice * Quaternion(rotationVector: step.duration * step.rate)
    // Correct: a fraction of the rotation that brings the measured up to Z, and the measured north to X.
    let fraction = min(1, step.duration / parameters.timeConstant)
    if let acceleration = step.acceleration {
      let up = attitude.rotate(-acceleration)
      attitude = Quaternion(rotationVector: fraction * up.cross(.unitZ)) * attitude
    }
    if let field = step.magneticField.map(attitude.rotate), let north = Vector3(field.x, field.y, 0).normalized {
      attitude = Quaternion(rotationVector: fraction * north.cross(.unitX)) * attitude
    }
    state.earthFromDevice = attitude.normalized ?? state.earthFromDevice
  }
}

@main struct WriteAFilter {
  static func main() throws {
    let log = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs/walk.csv"
    // The built-in filters and this one, by name.
    let filters = FilterKind.all.adding(SteppedFilter<Plumb>.self)

    // Fuse as `inertial fuse --filter plumb --set timeConstant=4` fuses with a built-in filter.
    var options = FusionOptions()
    options.filterRegistry = filters
    (options.filter, options.settings) = ("plumb", ["timeConstant": 4])
    let (table, report) = try FusionJob(input: log, output: "", options: options).table()
    print("\(report.rowCount) rows, the last roll is \(hundredths(table["roll"]?.last)) rad")

    // Compare with filters of the literature and the ground truth.
    var evaluation = EvaluationJob()
    evaluation.options.filterRegistry = filters
    evaluation.options.filters = ["plumb", "mahony", "madgwick", "kalman"]
    evaluation.options.referencePath = String(log.dropLast(3)) + "truth.csv"
    evaluation.options.referenceFrame = .nwu
    // The hard iron of the log's field is unknown at first, so the field is left out.
    evaluation.options.motion.frame = .xArbitraryZVertical
    evaluation.options.comparison.alignment = .yaw
    evaluation.options.measuresCost = false
    for score in try evaluation.run(on: log).scores {
      print("\(score.filter): \(hundredths(score.errors.total.rmse))° from the ground truth")
    }
  }

  static func hundredths(_ value: Double?) -> Double { ((value ?? .nan) * 100).rounded() / 100 }
}
