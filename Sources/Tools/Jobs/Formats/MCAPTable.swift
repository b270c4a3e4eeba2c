internal import InertialLogs
internal import InertialRotations

extension MCAPTableWriter {
  /// The columns that it takes of a fused dataset, in this order.
  static let fusedColumns =
    ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
    + ["gravity", "userAcceleration", "rotationRate", "magneticField", "attitudeSigma"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 }
    }

  /// The rows of a dataset, with the facts about it as one document under `inertial` and by the names that others ask for.
  ///
  /// - Parameters:
  ///   - columns: those of the rows that are appended.
  ///   - turnsToEast: whether the attitudes' frame has north for X; ROS has east there.
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
