internal import InertialLogs
internal import InertialSystem

/// The format of a fused dataset.
public enum DatasetFormat: String, Sendable, CaseIterable, Codable {
  /// A header and a line for each row.
  case csv
  /// A group for the recording in an HDF5 file, with a dataset for each column and the metadata as attributes.
  case hdf5
  /// NumPy's archive, with an array for each quantity and the metadata as the string `metadata`.
  case npz
  /// An Apache Parquet table that contains the metadata.
  case parquet
  /// A ROS 2 recording in an MCAP file that contains the metadata: `sensor_msgs/msg/Imu`, `MagneticField` and
  /// `geometry_msgs/msg/PoseStamped`.
  case mcap
  /// A folder with a dataset of BIDS-Motion (Brain Imaging Data Structure 1.9).
  case bids
  /// A trajectory in the format of the TUM RGB-D benchmark: time, position (0 without a path), quaternion.
  case tum
  /// A folder with the estimate of an ASL data set (EuRoC). Position and velocity are 0 without a path.
  case euroc

  /// The extension of the files' names.
  public var fileExtension: String { self == .hdf5 ? "h5" : rawValue }

  /// Whether the datasets are folders.
  package var isFolder: Bool { self == .bids || self == .euroc }

  /// Whether a dataset can be written to a stream.
  package var isStreamable: Bool { self == .csv || self == .tum }

  /// Whether a dataset contains metadata.
  package var hasMetadata: Bool { self != .csv && self != .tum }

  /// Whether the values are text, which can be rounded.
  var isText: Bool { self == .csv || self == .tum || self == .bids }

  /// Returns the fixed columns of the format in order, or `nil` if the format accepts the requested columns.
  ///
  /// - Parameter options: The options, which determine whether there is a path.
  func neededColumns(_ options: FusionOptions) -> [String]? {
    switch self {
    case .tum, .euroc: TrajectoryTableWriter.neededColumns(self, options)
    case .mcap: MCAPTableWriter.fusedColumns
    case .csv, .hdf5, .npz, .parquet, .bids: nil
    }
  }

  /// The extensions of the format, without the dot.
  private var endings: [String] { self == .hdf5 ? ["h5", "hdf5"] : [fileExtension] }

  /// Creates the format of a path's extension: HDF5 for `.h5` and `.hdf5`, and so on. Other paths are CSV.
  public init(path: String) { self = Self.split(path).format ?? .csv }

  /// Returns the formats in a list such as `csv,hdf5`.
  package static func list(_ text: String) throws(FusionError) -> [DatasetFormat] {
    var formats: [DatasetFormat] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = String(part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
      guard let format = DatasetFormat(rawValue: word) else {
        throw .usage("there is no format '\(word)'; there are \(allCases.map(\.rawValue).joined(separator: ", "))")
      }
      guard !formats.contains(format) else { throw .usage("the format \(word) is listed twice") }
      formats.append(format)
    }
    return formats
  }

  /// Returns a path without the extension of a format, and the format.
  static func split(_ path: String) -> (base: String, format: DatasetFormat?) {
    let path = path.withoutSlashesAtEnd
    let lowered = path.lowercased()
    for format in allCases {
      for ending in format.endings where lowered.hasSuffix("." + ending) {
        let base = String(path.dropLast(ending.count + 1))
        // A name that consists of an extension only has no extension.
        if !base.isEmpty, !base.hasSuffix("/") { return (base, format) }
      }
    }
    return (path, nil)
  }

  /// Returns the path of the events' file next to a dataset, with `.events.csv` instead of the dataset's extension.
  static func eventsPath(of output: String) -> String { split(output).base + ".events.csv" }

  /// Returns whether a path has the extension of a format whose datasets are single files.
  package static func isNameOfFile(_ path: String) -> Bool { split(path).format.map { !$0.isFolder } ?? false }

  /// Checks that an output has the extension of a format, or none. CSV is written under any name without an extension.
  ///
  /// - Throws: ``FusionError`` if the extension is unknown, such as `.xlsx`.
  static func checkEnding(of output: String) throws(FusionError) {
    guard output != "-", split(output).format == nil, !AtomicFile.isStream(output) else { return }
    let name = output.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return }
    let ending = name[name.index(after: dot)...]
    // Dates and version numbers are not extensions.
    guard let first = ending.first, first.isLetter, ending.count <= 8,
      ending.allSatisfy({ $0.isLetter || $0.isNumber })
    else { return }
    throw .usage(
      "\(output): the format .\(ending) cannot be written; use "
        + allCases.flatMap(\.endings).map { "." + $0 }.joined(separator: ", ")
        + ", or --format csv to write CSV under this name")
  }
}

/// The file or folder of a dataset.
public struct DatasetOutput: Sendable, Equatable {
  /// The format of the dataset.
  public var format: DatasetFormat
  /// The path; "-" is standard output.
  public var path: String

  /// Returns the outputs of a job, one dataset for each format. With several formats, each output has the base name and
  /// the extension of its format. A format named by the output's extension uses that name. Without formats, the
  /// extension determines the format.
  static func all(of output: String, formats: [DatasetFormat]) -> [DatasetOutput] {
    let (base, named) = DatasetFormat.split(output)
    guard formats.count > 1 else { return [DatasetOutput(format: formats.first ?? named ?? .csv, path: output)] }
    return formats.map {
      DatasetOutput(format: $0, path: $0 == named ? output : base + "." + $0.fileExtension)
    }
  }

  /// The path of the separate metadata file, or `nil` if the format contains metadata.
  var metadataPath: String? { format.hasMetadata || path == "-" ? nil : path + ".json" }

  /// The size of the existing output in bytes, or `nil` if there is no output.
  var bytes: Int? { AtomicFolder.bytes(of: path) }

  /// - Throws: ``FusionError`` if an existing output must not be replaced, or the output cannot be written.
  func check(force: Bool) throws(FusionError) {
    do throws(OutputError) {
      if format.isFolder {
        _ = try AtomicFolder(path: path, force: force)
      } else {
        _ = try AtomicFile(path: path, force: force)
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// Restores a folder that an earlier process was replacing when it ended. Files need no such step.
  func removeLeftovers() {
    if format.isFolder { AtomicFolder.removeLeftovers(of: path) }
  }
}
