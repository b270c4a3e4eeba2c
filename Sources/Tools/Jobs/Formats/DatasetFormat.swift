internal import InertialLogs

/// What a fused dataset is written as.
public enum DatasetFormat: String, Sendable, CaseIterable, Codable {
  /// A header and a line for each row.
  case csv
  /// A group for the recording in an HDF5 file, with a dataset for each column and the facts as attributes.
  case hdf5
  /// NumPy's archive, with an array for each quantity and the facts as the text `metadata`.
  case npz
  /// A table of Apache Parquet, with the facts as its metadata.
  case parquet
  /// A recording of ROS 2 in an MCAP file: `sensor_msgs/msg/Imu`, `MagneticField` and `geometry_msgs/msg/PoseStamped`, with the
  /// facts as its metadata.
  case mcap
  /// A folder that is a dataset of BIDS-Motion (Brain Imaging Data Structure 1.9).
  case bids
  /// A trajectory as the TUM RGB-D benchmark has it: time, position (0 where no path is asked for), quaternion.
  case tum
  /// A folder with the estimate of an ASL data set (EuRoC): position and velocity are 0 where no path is asked for.
  case euroc

  /// How the names of its files end.
  public var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .hdf5: "h5"
    case .npz: "npz"
    case .parquet: "parquet"
    case .mcap: "mcap"
    case .bids: "bids"
    case .tum: "tum"
    case .euroc: "euroc"
    }
  }

  /// Whether its datasets are folders.
  package var isFolder: Bool { self == .bids || self == .euroc }

  /// Whether a dataset can go to a stream.
  package var isStreamable: Bool { self == .csv || self == .tum }

  /// Whether a dataset tells how it was made, beside the numbers.
  package var hasMetadata: Bool { self != .csv && self != .tum }

  /// Whether its numbers are text, which may be rounded.
  var isText: Bool { self == .csv || self == .tum || self == .bids }

  /// The columns of a format that has its own, in their order; nil where it takes those that are asked for.
  ///
  /// - Parameter options: say whether there is a path.
  func neededColumns(_ options: FusionOptions) -> [String]? {
    switch self {
    case .tum: TUMRowTable.neededColumns(options)
    case .euroc: EuRoCRowTable.neededColumns(options)
    case .mcap: MCAPTableWriter.fusedColumns
    case .csv, .hdf5, .npz, .parquet, .bids: nil
    }
  }

  /// Ends of names that stand for the format, without the dot.
  private var endings: [String] { self == .hdf5 ? ["h5", "hdf5"] : [fileExtension] }

  /// The format that the end of a path stands for: `.h5` and `.hdf5` for HDF5, and so on; CSV for all else.
  public init(path: String) { self = Self.split(path).format ?? .csv }

  /// The formats of `csv,hdf5`.
  package static func list(_ text: String) throws(FusionError) -> [DatasetFormat] {
    var formats: [DatasetFormat] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = String(part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
      guard let format = DatasetFormat(rawValue: word) else {
        throw .usage(
          "there is no format '\(word)'; there are \(allCases.map(\.rawValue).joined(separator: ", "))")
      }
      guard !formats.contains(format) else { throw .usage("the format \(word) is asked for twice") }
      formats.append(format)
    }
    return formats
  }

  /// A path before an ending that stands for a format, and that format.
  static func split(_ path: String) -> (base: String, format: DatasetFormat?) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let lowered = path.lowercased()
    for format in allCases {
      for ending in format.endings where lowered.hasSuffix("." + ending) {
        let base = String(path.dropLast(ending.count + 1))
        // A name that is all ending is a name.
        if !base.isEmpty, !base.hasSuffix("/") { return (base, format) }
      }
    }
    return (path, nil)
  }

  /// Whether a path ends as a dataset does that is one file.
  package static func isNameOfFile(_ path: String) -> Bool { split(path).format.map { !$0.isFolder } ?? false }

  /// Checks that the end of an output's name stands for a format, or for none: CSV goes under any name without an ending.
  ///
  /// - Throws: where it ends as files of another format do, such as `.xlsx`.
  static func checkEnding(of output: String) throws(FusionError) {
    guard output != "-", split(output).format == nil, !OutputStreams.isStream(output) else { return }
    let name = output.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return }
    let ending = name[name.index(after: dot)...]
    // Dates and numbers of versions are no endings.
    guard let first = ending.first, first.isLetter, ending.count <= 8,
      ending.allSatisfy({ $0.isLetter || $0.isNumber })
    else { return }
    throw .usage(
      "\(output): .\(ending) is no format that is written; there are "
        + allCases.flatMap(\.endings).map { "." + $0 }.joined(separator: ", ")
        + ", or give --format csv to write CSV under this name")
  }

  /// Whether a path is named as our own datasets are that nobody named.
  package static func isOurs(_ path: String) -> Bool { LogFinder.isDataset(path) }
}

/// A file or folder that a dataset is written to.
public struct DatasetOutput: Sendable, Equatable {
  /// What it is written as.
  public var format: DatasetFormat
  /// "-" is standard output.
  public var path: String

  /// What a job writes: a dataset in each format. Several share the output's name before its ending, and each has its
  /// own; a format that the output's name says has exactly that name. Without formats the output's name says which.
  static func all(of output: String, formats: [DatasetFormat]) -> [DatasetOutput] {
    let (base, named) = DatasetFormat.split(output)
    guard formats.count > 1 else { return [DatasetOutput(format: formats.first ?? named ?? .csv, path: output)] }
    return formats.map {
      DatasetOutput(format: $0, path: $0 == named ? output : base + "." + $0.fileExtension)
    }
  }

  /// Where the facts about a dataset go that has no place for them.
  var metadataPath: String? { format.hasMetadata || path == "-" ? nil : path + ".json" }

  /// Bytes of what is there; nil where there is nothing.
  var bytes: Int? { AtomicFolder.bytes(of: path) }

  /// - Throws: where something is there that may not be replaced, or nothing can be written there.
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

  /// A folder that was to be replaced when a process ended has its name again then. Files need no such thing.
  func removeLeftovers() {
    if format.isFolder { AtomicFolder.removeLeftovers(of: path) }
  }
}
