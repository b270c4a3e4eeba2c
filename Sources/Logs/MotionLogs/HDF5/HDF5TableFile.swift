#if HDF5
  internal import CInertialHDF5
  internal import InertialSystem

  /// An HDF5 file being written: one group with a dataset for each column. All datasets have the same length.
  ///
  /// It must be used by one thread at a time.
  final class HDF5TableFile: @unchecked Sendable {
    private let file: HDF5Handle
    private let group: HDF5Handle
    private let columns: [TableColumn]
    private let path: String
    /// The datasets, created with the first block, whose length is the chunk length.
    private var datasets: [HDF5Handle] = []
    private var packer: HDF5ChunkPacker?
    private var chunkRows = 0
    private var chunkCount = 0

    /// - Parameters:
    ///   - place: The path of the empty file. `path` is its name in messages.
    init(
      at place: String, path: String, group name: String, columns: [TableColumn]
    ) throws(OutputError) {
      self.path = path
      self.columns = columns
      let failure = { () -> OutputError in Self.error(path) }
      (file, group) = try withHDF5 { () throws(OutputError) in
        errno = 0
        guard let access = HDF5Handle(H5Pcreate(chdf5_file_access()), close: H5Pclose),
          // The oldest file format with checksums in its structures, which all HDF5 libraries since 1.8 (2008) read.
          H5Pset_libver_bounds(access.id, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0,
          chdf5_without_locks(access.id) >= 0,
          // The other drivers require the name of the file, which may not exist yet.
          H5Pset_fapl_stdio(access.id) >= 0,
          let creation = HDF5Handle(H5Pcreate(chdf5_file_create()), close: H5Pclose),
          // The output must be reproducible.
          H5Pset_obj_track_times(creation.id, false) >= 0,
          let file = HDF5Handle(H5Fcreate(place, chdf5_truncate(), creation.id, access.id), close: H5Fclose),
          let order = HDF5Handle(H5Pcreate(chdf5_group_create()), close: H5Pclose),
          // Readers list the columns in the table's order instead of alphabetically.
          H5Pset_obj_track_times(order.id, false) >= 0,
          H5Pset_link_creation_order(order.id, chdf5_creation_order()) >= 0,
          let link = HDF5Handle(H5Pcreate(chdf5_link_create()), close: H5Pclose),
          H5Pset_char_encoding(link.id, H5T_CSET_UTF8) >= 0,
          let group = HDF5Handle(H5Gcreate2(file.id, name, link.id, order.id, chdf5_default()), close: H5Gclose)
        else { throw failure() }
        return (file, group)
      }
    }

    /// Writes attributes of the file and of the group.
    func describe(file fileFacts: [HDF5Attribute], group groupFacts: [HDF5Attribute]) throws(OutputError) {
      try withHDF5 { () throws(OutputError) in
        errno = 0
        let isWritten =
          fileFacts.allSatisfy { $0.write(to: file.id) } && groupFacts.allSatisfy { $0.write(to: group.id) }
        guard isWritten else { throw Self.error(path) }
      }
    }

    /// Appends a block of row-major rows. All blocks have the same number of rows, except for a shorter last block.
    func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
      let count = rows.count / columns.count
      if datasets.isEmpty { try makeDatasets(chunkRows: max(count, 1)) }
      guard count > 0, let packer else { return }
      precondition(count <= chunkRows, "a block of \(count) rows for chunks of \(chunkRows)")
      let start = chunkCount * chunkRows
      for (index, dataset) in datasets.enumerated() {
        // Compression is outside the lock, so that other recordings can write at the same time.
        let chunk = packer.pack(rows, column: index, columnCount: columns.count, number: chunkCount)
        try withHDF5 { () throws(OutputError) in
          errno = 0
          guard H5Dset_extent(dataset.id, [hsize_t(start + count)]) >= 0,
            H5Dwrite_chunk(
              dataset.id, chdf5_default(), 0, [hsize_t(start)], chunk.count, chunk.baseAddress) >= 0
          else { throw Self.error(path) }
        }
      }
      chunkCount += 1
    }

    /// Writes all data to the file and closes it, as closing also writes. No rows can be appended afterwards.
    func finish() throws(OutputError) {
      if datasets.isEmpty { try makeDatasets(chunkRows: 1) }
      try withHDF5 { () throws(OutputError) in
        errno = 0
        guard H5Fflush(file.id, H5F_SCOPE_GLOBAL) >= 0, (datasets + [group, file]).allSatisfy({ $0.shut() }) else {
          throw Self.error(path)
        }
      }
    }

    /// Closes the file without its pending data, unless it is finished. The library is no longer in use afterwards.
    func abandon() {
      withHDF5 { for handle in datasets + [group, file] { _ = handle.shut() } }
    }

    private func makeDatasets(chunkRows: Int) throws(OutputError) {
      self.chunkRows = chunkRows
      packer = HDF5ChunkPacker(columns: columns.count, rows: chunkRows)
      datasets = try withHDF5 { () throws(OutputError) in
        errno = 0
        guard let space = HDF5Handle(H5Screate_simple(1, [0], [chdf5_unlimited()]), close: H5Sclose),
          let creation = HDF5Handle(H5Pcreate(chdf5_dataset_create()), close: H5Pclose),
          H5Pset_obj_track_times(creation.id, false) >= 0, H5Pset_chunk(creation.id, 1, [hsize_t(chunkRows)]) >= 0,
          H5Pset_shuffle(creation.id) >= 0, H5Pset_deflate(creation.id, 1) >= 0,
          H5Pset_fill_time(creation.id, H5D_FILL_TIME_NEVER) >= 0
        else { throw Self.error(path) }
        var datasets: [HDF5Handle] = []
        for column in columns {
          guard
            let dataset = HDF5Handle(
              H5Dcreate2(
                group.id, column.name, chdf5_float64(), space.id, chdf5_default(), creation.id, chdf5_default()),
              close: H5Dclose),
            HDF5Attribute("unit", column.unit).write(to: dataset.id),
            HDF5Attribute("meaning", column.meaning).write(to: dataset.id)
          else { throw Self.error(path) }
          datasets.append(dataset)
        }
        return datasets
      }
    }

    /// Returns the error of a failed call. The library gives no reason, but `errno` is still that of the failed system
    /// call.
    private static func error(_ path: String) -> OutputError {
      guard errno == 0 else { return AtomicFile.error(errno, path: path) }
      return OutputError(
        kind: .other, path: path, problem: "the HDF5 library cannot write it",
        remedy: "give another path, or a format other than hdf5")
    }
  }
#endif
