// Runs VQF over a raw log and writes its state after each row as CSV to standard output:
// swift run --package-path Notebooks-data -c release VQFColumns LOG vqf|basic-vqf|offline GYROSCOPE-HZ ACCELEROMETER-HZ FIELD-HZ
// A field rate of 0 leaves the field out. Used by studies/same_as_vqf.py; quaternions are device to north-west-up.
import Inertial

@main struct VQFColumns {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 5, let gyroscope = Double(arguments[2]), let accelerometer = Double(arguments[3]),
      let field = Double(arguments[4])
    else {
      return print("usage: VQFColumns LOG vqf|basic-vqf|offline GYROSCOPE-HZ ACCELEROMETER-HZ FIELD-HZ")
    }
    let samples = try LogFeed(path: arguments[0]).load().samples
    let hasCalibratedField = samples.contains { $0.channel == .calibratedMagneticField }
    let channel: SensorChannel? = field > 0 ? hasCalibratedField ? .calibratedMagneticField : .magnetometer : nil
    var parameters = VQF.Parameters()
    (parameters.gyroscopeRate, parameters.accelerometerRate) = (gyroscope, accelerometer)
    parameters.magneticFieldRate = field

    switch arguments[1] {
    case "offline": write(VQF.smoothed(Recording(samples), field: channel, parameters: parameters))
    case "basic-vqf":
      var basic = BasicVQF.Parameters()
      (basic.gyroscopeRate, basic.accelerometerRate) = (gyroscope, accelerometer)
      basic.magneticFieldRate = field
      write(BasicVQF(parameters: basic), samples, channel) { filter in
        (filter.state.levelFromDevice, .zero, false, false)
      }
    default:
      write(VQF(parameters: parameters), samples, channel) { filter in
        let state = filter.state
        return (state.levelFromDevice, state.gyroscopeBias, state.isResting, state.isFieldDisturbed)
      }
    }
  }

  /// Writes one row per gyroscope sample, after all measurements before the next sample.
  static func write<Filter: AttitudeFilter>(
    _ start: Filter, _ samples: [SensorSample], _ channel: SensorChannel?,
    _ details: (Filter) -> (Quaternion, Vector3, Bool, Bool)
  ) {
    var filter = start
    var time: Double?
    func writeRow() {
      guard let time, let estimate = filter.estimate else { return }
      let (level, bias, isResting, isDisturbed) = details(filter)
      print(row(time, estimate.earthFromDevice, level, bias, isResting, isDisturbed))
    }
    print(header)
    for sample in samples {
      switch sample.channel {
      case .gyroscope:
        writeRow()
        filter.update(gyroscope: sample.vector, at: sample.time)
        time = sample.time
      case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
      case channel: filter.update(magneticField: sample.vector, at: sample.time)
      default: break
      }
    }
    writeRow()
  }

  static func write(_ result: SmoothedAttitudes) {
    print(header)
    for index in result.times.indices {
      print(
        row(
          result.times[index], result.attitudes[index], .identity, result.gyroscopeBiases[index],
          result.isResting[index], result.isFieldDisturbed[index]))
    }
  }

  static let header =
    "time,quaternionX,quaternionY,quaternionZ,quaternionW,levelX,levelY,levelZ,levelW,biasX,biasY,biasZ,resting,disturbed"

  static func row(
    _ time: Double, _ q: Quaternion, _ level: Quaternion, _ bias: Vector3, _ isResting: Bool, _ isDisturbed: Bool
  ) -> String {
    let numbers = [
      time, q.x, q.y, q.z, q.w, level.x, level.y, level.z, level.w, bias.x, bias.y, bias.z, isResting ? 1 : 0,
      isDisturbed ? 1 : 0,
    ]
    return numbers.map { "\($0)" }.joined(separator: ",")
  }
}
