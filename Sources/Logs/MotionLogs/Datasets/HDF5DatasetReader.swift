internal import InertialSensors

#if HDF5
  /// The columns of a recording in an HDF5 file that Inertial wrote: a group with one dataset per column.
  struct HDF5ColumnSource: ColumnSource {
    let names: [String]
    let rowCount: Int
    private let datasets: [HDF5Dataset]

    /// The maximum number of columns. A table of all channels of a phone has fewer than two hundred.
    private static let maximumColumnCount = 1024

    /// Opens the columns of a group.
    ///
    /// - Throws: ``LogError`` if their lengths differ.
    init(_ table: HDF5Table) throws(LogError) {
      let names = table.columnNames(atMost: Self.maximumColumnCount)
      (datasets, rowCount) = try withHDF5 { () throws(LogError) in
        var datasets: [HDF5Dataset] = []
        for name in names { datasets.append(try table.dataset(name)) }
        let rows = datasets.first?.rows ?? 0
        guard let other = zip(names, datasets).first(where: { $1.rows != rows }) else { return (datasets, rows) }
        throw LogError(
          path: table.path, problem: "\(names[0]) has \(rows) rows and \(other.0) has \(other.1.rows)",
          remedy: "give a dataset as 'inertial fuse' or 'inertial convert' wrote it")
      }
      self.names = names
    }

    mutating func read(_ rows: Range<Int>, into blocks: inout [[Double]]) throws(LogError) {
      try withHDF5 { () throws(LogError) in
        for (index, dataset) in datasets.enumerated() { try dataset.read(rows, into: &blocks[index]) }
      }
    }
  }
#endif

/// Reads an HDF5 dataset that `fuse` or `convert` wrote.
enum HDF5DatasetReader {
  /// Whether a file is HDF5 of the newer form with a group that has a time, and without BROAD's names at the root.
  static func recognizes(_ candidate: LogCandidate) -> Bool {
    #if HDF5
      // The superblock's version follows the signature (HDF5 File Format Specification 3.0, II.A).
      guard isHDF5(candidate.head), candidate.head.count > 8, candidate.head[8] >= 2,
        let groups = try? HDF5Table.groups(of: candidate.path)
      else { return false }
      return !groups.isEmpty
    #else
      return false
    #endif
  }

  static func open(path: String, options: LogOptions) throws(LogError) -> any LogReader {
    #if HDF5
      let groups = try HDF5Table.groups(of: path)
      guard let group = groups.first, groups.count == 1 else {
        throw LogError(
          path: path,
          problem: groups.isEmpty
            ? "no group with a dataset time"
            : "holds \(groups.count) recordings: \(groups.prefix(4).joined(separator: ", "))",
          remedy: "give a file with one recording, as 'inertial fuse' writes it")
      }
      let table = try HDF5Table(path: path, group: group)
      return try DatasetTableReader(
        HDF5ColumnSource(table), format: "inertial-hdf5", kind: "HDF5", path: path, epoch: table.number("epoch"),
        options: options)
    #else
      return try MatrixLogReader(broad: path, options: options)
    #endif
  }
}

extension LogFormat {
  static var inertialHDF5: LogFormat {
    LogFormat(
      id: "inertial-hdf5", title: "Inertial dataset (HDF5)",
      recognition: "an HDF5 file with a group that contains a dataset time",
      units: "Inertial's own; for fused motion raw acceleration = gravity + userAcceleration",
      isFolder: false,
      recognizes: { HDF5DatasetReader.recognizes($0) },
      open: { path, options throws(LogError) in try HDF5DatasetReader.open(path: path, options: options) })
  }
}
