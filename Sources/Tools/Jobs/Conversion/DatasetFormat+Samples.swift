internal import InertialLogs
internal import InertialSensors

extension DatasetFormat {
  /// The formats for the samples of a log without fusion. EuRoC and MCAP have only some of the channels.
  package static let ofSamples: [DatasetFormat] = [.csv, .euroc, .bids, .npz, .parquet, .mcap, .hdf5]

  /// The channels whose samples the format supports, in the order of its columns.
  var channels: [SensorChannel] {
    switch self {
    case .csv, .bids, .tum: RawLogWriter.channels + [.calibratedMagneticField]
    case .euroc: [.gyroscope, .accelerometer]
    case .mcap: RawLogWriter.channels
    case .npz, .parquet, .hdf5:
      RawLogWriter.channels + SensorChannel.allCases.filter { !RawLogWriter.channels.contains($0) }
    }
  }
}

extension SensorChannel {
  /// The columns of the channel's samples.
  var columns: [TableColumn] {
    columnNames.map { column in
      TableColumn(
        name: column, unit: column == "magneticFieldAccuracy" ? "1" : unit, meaning: name,
        isWhole: FusedColumn.wholeNames.contains(column))
    }
  }
}
