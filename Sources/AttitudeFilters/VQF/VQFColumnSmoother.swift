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
    /// The end of the latest gap, until the second after it is over.
    private var gapEnd: Double?

    init(parameters: Parameters) { self.parameters = parameters }

    public mutating func update(gyroscope: Vector3, at time: Double) { columns.gyroscope.append(gyroscope, at: time) }

    public mutating func update(accelerometer: Vector3, at time: Double) {
      columns.accelerometer.append(accelerometer, at: time)
    }

    public mutating func update(magneticField: Vector3, at time: Double) {
      columns.magneticField.append(magneticField, at: time)
    }

    public mutating func finish() {
      let admitted = columns.admitted()
      // A recording is large: what is not needed any more goes before the work begins.
      columns = MotionColumns()
      result = VQF.smoothed(admitted: admitted, parameters: parameters)
    }

    public mutating func next() -> TimedAttitudeEstimate? {
      guard position < result.count else { return nil }
      defer { position += 1 }
      let time = result.times[position]
      if position > 0, time - result.times[position - 1] > parameters.gapThreshold { gapEnd = time }
      if let end = gapEnd, time - end >= FactoredAttitude.startUpDuration { gapEnd = nil }
      var flags: AttitudeFlags = []
      flags.setMembership(of: .gap, gapEnd != nil)
      flags.setMembership(of: .resting, result.isResting[position])
      flags.setMembership(
        of: .magneticDisturbance, result.isFieldDisturbed[position] && result.isFieldKnown[position])
      return TimedAttitudeEstimate(
        time: time,
        estimate: AttitudeEstimate(
          earthFromDevice: result.attitudes[position], gyroscopeBias: result.gyroscopeBiases[position], flags: flags))
    }
  }
}
