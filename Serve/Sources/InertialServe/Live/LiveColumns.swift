internal import InertialJobs
internal import InertialLogs

/// The columns of the live stream: those that the page draws, and further ones for programs.
enum LiveColumns {
  static let names = [
    "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw", "gravityX", "gravityY",
    "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ", "rotationRateX", "rotationRateY",
    "rotationRateZ", "magneticFieldX", "magneticFieldY", "magneticFieldZ", "magneticFieldAccuracy", "heading", "status",
    "motionActivity", "motionActivityConfidence", "stepCount", "stepDistance", "stepCadence", "filteredAltitude",
    "verticalSpeed", "shakeCount", "shakeProbability", "fallCount",
  ]

  /// Returns the options for the live stream. The fusion itself rejects options that need a log.
  static func applied(to options: FusionOptions) throws(FusionError) -> FusionOptions {
    var options = options
    options.recognitions = [.activity, .steps, .altitude, .shake, .falls]
    options.columns = try FusedColumn.named(names)
    options.log.auxiliary = options.recognitions.reduce(into: []) { $0.formUnion($1.channels) }
    return options
  }

  static let activityIndex = names.firstIndex(of: "motionActivity")!
}
