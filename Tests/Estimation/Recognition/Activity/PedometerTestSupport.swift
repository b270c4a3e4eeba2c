import InertialNumerics
import InertialRecognition
import InertialSensors

extension Pedometer {
  /// Returns the outputs for all samples, including those at the end.
  mutating func outputs(_ samples: [MotionSample]) -> [PedometerOutput] { samples.flatMap { update($0) } + finish() }

  static func history(of samples: [MotionSample], _ parameters: Parameters = Parameters()) -> PedometerHistory {
    var pedometer = Pedometer(parameters: parameters)
    var history = PedometerHistory()
    for output in pedometer.outputs(samples) { history.append(output) }
    return history
  }

  static func steps(in samples: [MotionSample]) -> Int { history(of: samples).steps.count }
}

/// Returns samples of an acceleration given as a function of time.
func samples(rate: Double = 100, seconds: Double, _ acceleration: (Double) -> Vector3) -> [MotionSample] {
  (0..<Int(seconds * rate)).map { index in
    let time = Double(index) / rate
    return MotionSample(time: time, acceleration: acceleration(time))
  }
}
