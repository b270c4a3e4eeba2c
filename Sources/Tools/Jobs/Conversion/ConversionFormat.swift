internal import InertialLogs
internal import InertialSensors

/// The format of a converted log, without fusion.
package enum ConversionFormat: String, Sendable, CaseIterable {
  /// The canonical raw CSV, which can be read without options.
  case csv
  /// An ASL data set (EuRoC): a folder with `mav0/imu0` and Kalibr's `imu.yaml`, for visual-inertial odometry.
  case euroc
  /// A folder with a dataset of BIDS-Motion (Brain Imaging Data Structure 1.9).
  case bids
  /// NumPy's archive, with arrays of the values and the times of each stream.
  case npz
  /// An Apache Parquet table with a column for each number.
  case parquet
  /// A ROS 2 recording in an MCAP file: `sensor_msgs/msg/Imu` and `MagneticField`.
  case mcap
  /// A group in an HDF5 file, with a dataset for each column.
  case hdf5

  /// Creates the format of a path's extension: `.npz`, `.h5` and so on. Other paths are CSV.
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

  /// The channels that the format supports, in the order of its columns.
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
