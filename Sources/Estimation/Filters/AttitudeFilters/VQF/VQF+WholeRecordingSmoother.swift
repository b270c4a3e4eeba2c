public import InertialNumerics
internal import InertialSensors
package import InertialSystem

extension VQF {
  public static func smoother(parameters: Parameters) -> WholeRecordingSmoother {
    WholeRecordingSmoother(parameters: parameters)
  }

  /// The offline form for a stream of samples: it runs when the recording is complete.
  ///
  /// Memory does not grow with the recording: data beyond some minutes is stored in unnamed temporary files (`TMPDIR`,
  /// or `/tmp`), about 360 bytes for each sample of the gyroscope at equal rates. Without disk space, the data stays in
  /// memory.
  public struct WholeRecordingSmoother: AttitudeSmoother {
    private let parameters: Parameters
    private let memory: Int
    private var recording: VQFRecording
    private var rows: VQFSmoother.Rows?
    private var lastTime: Double?
    /// The end of the latest gap, until the second after it is over.
    private var gapEnd: Double?
    package private(set) var failure: SpillError?

    /// - Parameter memory: The bytes of buffered data that stay in memory, for each kind.
    package init(parameters: Parameters, memory: Int = 1 << 22) {
      self.parameters = parameters
      self.memory = memory
      recording = VQFRecording(memory: memory)
    }

    public mutating func update(gyroscope: Vector3, at time: Double) {
      recording.append(gyroscope: gyroscope, at: time)
    }

    public mutating func update(accelerometer: Vector3, at time: Double) {
      recording.append(accelerometer: accelerometer, at: time)
    }

    public mutating func update(magneticField: Vector3, at time: Double) {
      recording.append(magneticField: magneticField, at: time)
    }

    public mutating func finish() {
      do throws(SpillError) {
        rows = VQFSmoother.Rows(try VQFSmoother(recording, parameters, memory: memory))
      } catch {
        failure = error
      }
    }

    public mutating func next() -> TimedAttitudeEstimate? {
      do throws(SpillError) {
        guard let row = try rows?.next() else { return nil }
        return estimate(row)
      } catch {
        failure = error
        rows = nil
        return nil
      }
    }

    private mutating func estimate(_ row: VQFSmoother.Row) -> TimedAttitudeEstimate {
      if let lastTime, row.time - lastTime > parameters.gapThreshold { gapEnd = row.time }
      lastTime = row.time
      if let end = gapEnd, row.time - end >= FactoredAttitude.startUpDuration { gapEnd = nil }
      var flags: AttitudeFlags = []
      flags.setMembership(of: .gap, gapEnd != nil)
      flags.setMembership(of: .resting, row.known.isResting)
      flags.setMembership(of: .magneticDisturbance, row.known.isFieldDisturbed && row.known.isFieldKnown)
      return TimedAttitudeEstimate(
        time: row.time,
        estimate: AttitudeEstimate(
          earthFromDevice: row.attitude, gyroscopeBias: row.known.bias, flags: flags))
    }
  }
}

extension VQF.WholeRecordingSmoother: SpillingSmoother {}
