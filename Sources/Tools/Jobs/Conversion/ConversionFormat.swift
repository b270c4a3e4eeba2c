internal import InertialLogs
internal import InertialSensors

/// What a log is written as, without fusion.
package enum ConversionFormat: String, Sendable, CaseIterable {
  /// The canonical raw CSV, which is read without an option.
  case csv
  /// An ASL data set (EuRoC): a folder with `mav0/imu0` and Kalibr's `imu.yaml`, for visual-inertial odometry.
  case euroc
  /// A folder that is a dataset of BIDS-Motion (Brain Imaging Data Structure 1.9).
  case bids
  /// NumPy's archive: arrays of each stream and of its own times.
  case npz
  /// A table of Apache Parquet, with a column for each number.
  case parquet
  /// A recording of ROS 2 in an MCAP file: `sensor_msgs/msg/Imu` and `MagneticField`.
  case mcap
  /// A group in an HDF5 file, with a dataset for each column.
  case hdf5

  /// The format that the end of a path stands for: `.npz`, `.h5` and so on; CSV for all else.
  package init(path: String) {
    switch DatasetFormat.split(path).format {
    case .npz: self = .npz
    case .parquet: self = .parquet
    case .mcap: self = .mcap
    case .hdf5: self = .hdf5
    case .bids: self = .bids
    case .euroc: self = .euroc
    case .csv, .tum, nil: self = .csv
    }
  }

  /// The channels that it has a place for, in the order of its columns.
  var channels: [SensorChannel] {
    switch self {
    case .csv, .bids: RawLogWriter.channels + [.calibratedMagneticField]
    case .euroc: [.gyroscope, .accelerometer]
    case .mcap: RawLogWriter.channels
    case .npz, .parquet, .hdf5:
      RawLogWriter.channels + SensorChannel.allCases.filter { !RawLogWriter.channels.contains($0) }
    }
  }
}
