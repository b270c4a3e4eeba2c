internal import InertialSensors

extension LogDiagnostics {
  /// The undecided tests with the reasons.
  var untested: [String] {
    let hasMotion = summary.reports[.gyroscope] != nil && summary.reports[.accelerometer] != nil
    var untested: [String] = []
    if hasMotion, case .silent(let why) = gravity {
      untested.append("axes, signs and units of gyroscope and accelerometer against one another: \(why)")
    }
    if summary.reports[.accelerometer] != nil, !isSignSpecified {
      untested.append("the sign of the acceleration: only the log's own gravity or the dip of a field determines it")
    }
    if let fieldChannel, case .silent(let why)? = field {
      untested.append("axes and signs of the \(fieldChannel.name): \(why)")
    }
    for (channel, finding) in offsets.sorted(by: { $0.key < $1.key }) {
      if case .failure(let why) = finding {
        untested.append("the clock of the \(channel.name) against the gyroscope's: \(why)")
      }
    }
    if hasMotion, rest.phases.isEmpty {
      untested.append("bias of the gyroscope and scale of the accelerometer: there is no rest of two seconds or more")
    }
    return untested
  }

  /// Whether the log's own gravity or a field's dip confirms the sign of the acceleration.
  private var isSignSpecified: Bool { inspection.device.comparesGravity || telltaleDip != nil }
}
