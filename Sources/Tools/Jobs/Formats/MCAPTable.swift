internal import InertialLogs
internal import InertialRotations

extension MCAPTableWriter {
  /// The required columns of a fused dataset, in order.
  static let fusedColumns =
    ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
    + ["gravity", "userAcceleration", "rotationRate", "magneticField", "attitudeSigma"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 }
    }

  /// Creates a table for a dataset. The metadata contains the document `inertial` and the names that other readers
  /// expect.
  ///
  /// - Parameters:
  ///   - columns: The columns of the appended rows.
  ///   - turnsToEast: Whether X is north in the attitudes' frame, while it is east in ROS.
  convenience init(
    output: String, metadata: DatasetMetadata, columns: [String], turnsToEast: Bool = false, force: Bool,
    isOverlapped: Bool = true
  ) throws(OutputError) {
    try self.init(
      path: output, columns: columns, epoch: metadata.epoch, turnsToEast: turnsToEast, force: force,
      isOverlapped: isOverlapped, generator: DatasetMetadata.generator,
      facts: {
        [("inertial", metadata.json()), ("frame", metadata.text("frame")), ("filter", metadata.text("filter"))]
          .compactMap { name, text in text.map { (name, $0) } }
      })
  }
}
