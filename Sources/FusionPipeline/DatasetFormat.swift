/// What a fused dataset is written as.
public enum DatasetFormat: String, Sendable, CaseIterable, Codable {
  /// A header and a line for each row.
  case csv
  /// A group for the recording in an HDF5 file, with a dataset for each column and the facts as attributes.
  case hdf5

  /// How the names of its files end.
  public var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .hdf5: "h5"
    }
  }

  /// The format that the end of a path stands for: `.h5` and `.hdf5` for HDF5, all else for CSV.
  public init(path: String) {
    let name = path.lowercased()
    self = name.hasSuffix(".h5") || name.hasSuffix(".hdf5") ? .hdf5 : .csv
  }

  /// Whether a path is named as our own datasets are that nobody named.
  public static func isOurs(_ path: String) -> Bool {
    allCases.contains { path.hasSuffix(".fused." + $0.fileExtension) }
  }
}
