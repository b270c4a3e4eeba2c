/// A table that `HDF5TableWriter` wrote: the columns of a fused dataset.
package struct HDF5Table {
  #if HDF5
    let path: String
    private let file: HDF5File
    private let group: String

    /// Opens a file in the writer's format. HDF5's older file format is rejected, as its structures have no checksums.
    package init(path: String, group: String) throws(LogError) {
      self.path = path
      file = try Self.open(path)
      self.group = group
      let isThere = withHDF5 { file.contains(group) }
      guard isThere else {
        let names = withHDF5 { file.memberNames() }.joined(separator: ", ")
        throw LogError(path: path, problem: "there is no group \(group)", remedy: "there are: \(names)")
      }
    }

    /// Returns the groups of a file that contain a table with a time.
    static func groups(of path: String) throws(LogError) -> [String] {
      let file = try open(path)
      return withHDF5 { file.memberNames().filter { file.isGroup($0) && file.contains("\($0)/time") } }
    }

    private static func open(_ path: String) throws(LogError) -> HDF5File {
      let size = try checkedHDF5Size(path: path)
      // The superblock's version follows the signature (HDF5 File Format Specification 3.0, II.A).
      guard let version = try InputFile(path: path).readBytes(upTo: 9).last, version >= 2 else {
        throw LogError(
          path: path, problem: "is an HDF5 file of the older form, unlike Inertial's datasets",
          remedy: "give a file that inertial fuse wrote")
      }
      try HDF5Structure.check(path: path, size: size, datasets: [])
      return try withHDF5 { () throws(LogError) in try HDF5File(path: path, size: size) }
    }

    /// Returns the names of the columns.
    func columnNames(atMost count: Int) -> [String] {
      withHDF5 { file.memberNames(of: group, atMost: count) }
    }

    /// Returns a column for reading in blocks. Use only inside `withHDF5`.
    func dataset(_ name: String) throws(LogError) -> HDF5Dataset {
      try file.dataset("\(group)/\(name)", columns: 1)
    }

    /// Returns a numeric attribute of the table, or `nil` if it is missing.
    func number(_ name: String) -> Double? { withHDF5 { file.attribute(name, of: group) } }

    /// Returns the numbers of a column.
    package func column(_ name: String) throws(LogError) -> [Double] {
      try withHDF5 { () throws(LogError) in
        let dataset = try self.dataset(name)
        var values: [Double] = []
        if dataset.rows > 0 { try dataset.read(0..<dataset.rows, into: &values) }
        return values
      }
    }
  #else
    /// Throws an error that describes how to obtain the reader.
    package init(path: String, group: String) throws(LogError) { throw LogError.missingHDF5(path) }

    package func column(_ name: String) throws(LogError) -> [Double] { [] }
  #endif
}
