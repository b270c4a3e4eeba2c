internal import InertialSensors

extension LogFormat {
  static var inertialHDF5: LogFormat {
    LogFormat(
      id: "inertial-hdf5", title: "Inertial dataset (HDF5)",
      recognition: "an HDF5 file with a group that contains a dataset time",
      units: "Inertial's own; for fused motion raw acceleration = gravity + userAcceleration",
      recognizes: { hasTable($0) },
      open: { path, options throws(LogError) in
        #if HDF5
          return try openTable(path, options)
        #else
          return try MatrixLogReader(broad: path, options: options)
        #endif
      })
  }

  /// Whether a file is HDF5 of the newer form with a group that has a time, and without BROAD's names at the root.
  private static func hasTable(_ candidate: LogCandidate) -> Bool {
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

  #if HDF5
    /// The maximum number of columns. A table of all channels of a phone has fewer than two hundred.
    private static let maximumColumnCount = 1024

    /// Opens a dataset that `fuse` or `convert` wrote: a group with one dataset per column.
    ///
    /// - Throws: ``LogError`` if the file has no or several recordings, or if the lengths of the columns differ.
    private static func openTable(_ path: String, _ options: LogOptions) throws(LogError) -> any LogReader {
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
      let names = table.columnNames(atMost: maximumColumnCount)
      let datasets: [HDF5Dataset] = try withHDF5 { () throws(LogError) in
        var datasets: [HDF5Dataset] = []
        for name in names { datasets.append(try table.dataset(name)) }
        return datasets
      }
      let rowCount = datasets.first?.rows ?? 0
      if let other = Swift.zip(names, datasets).first(where: { $1.rows != rowCount }) {
        throw LogError(
          path: path, problem: "\(names[0]) has \(rowCount) rows and \(other.0) has \(other.1.rows)",
          remedy: "give a dataset as 'inertial fuse' or 'inertial convert' wrote it")
      }
      return try DatasetTableReader(
        (
          names, rowCount,
          { (rows, blocks) throws(LogError) in
            try withHDF5 { () throws(LogError) in
              for (index, dataset) in datasets.enumerated() { try dataset.read(rows, into: &blocks[index]) }
            }
          }
        ), format: "inertial-hdf5", kind: "HDF5", path: path, epoch: table.number("epoch"), options: options)
    }
  #endif
}
