#if HDF5
  internal import CInertialHDF5

  /// A dataset with one row of numbers per sample, read block by block.
  ///
  /// Use only inside `withHDF5`.
  struct HDF5Dataset {
    let rows: Int
    let columns: Int
    private let name: String
    private let path: String
    private let handle: HDF5Handle
    private let space: HDF5Handle
    /// The type of a one-byte enumeration, which is read unconverted, or `nil` for numbers, which are converted to
    /// doubles.
    private let booleanType: HDF5Handle?

    /// Opens a dataset of the group `parent`: a list of numbers (`columns` = 1) or a table of `columns` columns.
    init(file: HDF5File, parent: hid_t, name: String, columns: Int) throws(LogError) {
      func failure(_ problem: String) -> LogError {
        LogError(path: file.path, problem: "dataset \(name) \(problem)", remedy: "look at it with h5dump -p -H")
      }
      let layout = try Self.layout(of: name, in: parent, fileSize: file.size, columns: columns, failure)
      guard let access = HDF5Handle(H5Pcreate(chdf5_dataset_access()), close: H5Pclose),
        // A row has few chunks, so few slots suffice. w0 = 1 evicts fully read chunks first.
        H5Pset_chunk_cache(access.id, 521, max(layout.cacheSize, 1 << 20), 1) >= 0,
        let handle = HDF5Handle(H5Dopen2(parent, name, access.id), close: H5Dclose),
        let space = HDF5Handle(H5Dget_space(handle.id), close: H5Sclose)
      else { throw failure("cannot be opened") }
      if layout.isBoolean {
        guard let type = HDF5Handle(H5Dget_type(handle.id), close: H5Tclose) else { throw failure("cannot be opened") }
        booleanType = type
      } else {
        booleanType = nil
      }
      self.rows = layout.rows
      self.columns = columns
      self.name = name
      self.path = file.path
      self.handle = handle
      self.space = space
    }

    /// Replaces `values` by the numbers of the given rows in row-major order. Booleans are 0 or 1.
    func read(_ range: Range<Int>, into values: inout [Double]) throws(LogError) {
      let failure = LogError(
        path: path, problem: "dataset \(name) cannot be read at row \(range.lowerBound + 1)",
        remedy: "the file is truncated or damaged: fetch or copy it again")
      let count = range.count * columns
      let start = [hsize_t(range.lowerBound), 0]
      let extent = [hsize_t(range.count), hsize_t(columns)]
      guard H5Sselect_hyperslab(space.id, H5S_SELECT_SET, start, nil, extent, nil) >= 0,
        let memory = HDF5Handle(H5Screate_simple(columns == 1 ? 1 : 2, extent, nil), close: H5Sclose)
      else { throw failure }

      if let booleanType {
        var bytes = [UInt8](repeating: 0, count: count)
        guard H5Dread(handle.id, booleanType.id, memory.id, space.id, chdf5_default(), &bytes) >= 0 else {
          throw failure
        }
        values = bytes.map { $0 == 0 ? 0 : 1 }
      } else {
        if values.count != count { values = [Double](repeating: 0, count: count) }
        guard
          H5Dread(handle.id, chdf5_native_double(), memory.id, space.id, chdf5_default(), &values) >= 0
        else { throw failure }
      }
    }
  }
#endif
