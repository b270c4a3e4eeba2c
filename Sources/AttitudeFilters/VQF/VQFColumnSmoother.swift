public import LinearAlgebra
internal import Sensors

extension VQF {
  public static func smoother(parameters: Parameters) -> WholeRecordingSmoother {
    WholeRecordingSmoother(parameters: parameters)
  }

  /// The offline form as samples come: it keeps the recording and works when it is whole.
  public struct WholeRecordingSmoother: AttitudeSmoother {
    private let parameters: Parameters
    private var columns = MotionColumns()
    private var result = SmoothedAttitudes()
    private var position = 0

    init(parameters: Parameters) { self.parameters = parameters }

    public mutating func update(gyroscope: Vector3, at time: Double) { columns.gyroscope.append(gyroscope, at: time) }

    public mutating func update(accelerometer: Vector3, at time: Double) {
      columns.accelerometer.append(accelerometer, at: time)
    }

    public mutating func update(magneticField: Vector3, at time: Double) {
      columns.magneticField.append(magneticField, at: time)
    }

    public mutating func finish() {
      result = VQF.smoothed(columns, parameters: parameters)
      columns = MotionColumns()
    }

    public mutating func next() -> TimedAttitudeEstimate? {
      guard position < result.count else { return nil }
      defer { position += 1 }
      var flags: AttitudeFlags = []
      flags.setMembership(of: .resting, result.isResting[position])
      flags.setMembership(of: .magneticDisturbance, result.isFieldDisturbed[position])
      return TimedAttitudeEstimate(
        time: result.times[position],
        estimate: AttitudeEstimate(
          earthFromDevice: result.attitudes[position], gyroscopeBias: result.gyroscopeBiases[position], flags: flags))
    }
  }
}
