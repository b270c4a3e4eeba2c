internal import InertialJobs
internal import InertialLogs

/// The columns of the live stream: those that the page draws, and what programs want beside them.
enum LiveColumns {
  static let names = [
    "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw", "gravityX", "gravityY",
    "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ", "rotationRateX", "rotationRateY",
    "rotationRateZ", "magneticFieldX", "magneticFieldY", "magneticFieldZ", "magneticFieldAccuracy", "heading", "status",
    "motionActivity", "motionActivityConfidence", "stepCount", "stepDistance", "stepCadence", "filteredAltitude",
    "verticalSpeed", "shakeCount", "shakeProbability", "fallCount",
  ]

  /// What of a live stream needs the whole log, or a log, is refused by the fusion itself.
  static func applied(to options: FusionOptions) throws(FusionError) -> FusionOptions {
    var options = options
    options.recognitions = [.activity, .steps, .altitude, .shake, .falls]
    options.columns = try FusedColumn.named(names)
    options.log.auxiliary = options.recognitions.reduce(into: []) { $0.formUnion($1.channels) }
    return options
  }

  static let activityPlace = names.firstIndex(of: "motionActivity")!
}

/// Takes rows that come out of the fusion, until somebody takes them from it.
final class LiveTable: TableWriter {
  private(set) var rowCount = 0
  private var numbers: [Double] = []

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    numbers += rows
    rowCount += rows.count / LiveColumns.names.count
  }

  func flush() throws(OutputError) {}
  func close() throws(OutputError) {}

  /// The numbers of the rows since the last call, one row after another.
  func take() -> [Double] {
    defer { numbers.removeAll(keepingCapacity: true) }
    return numbers
  }
}
