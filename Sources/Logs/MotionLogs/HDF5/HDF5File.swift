#if HDF5
  internal import CInertialHDF5

  /// An HDF5 file open for reading.
  ///
  /// Use only inside `withHDF5`.
  struct HDF5File {
    let path: String
    /// The size in bytes, which limits the possible size of the datasets.
    let size: Int
    private let handle: HDF5Handle

    /// Opens a file of `size` bytes whose signature was checked.
    init(path: String, size: Int) throws(LogError) {
      guard let handle = HDF5Handle(H5Fopen(path, chdf5_read_only(), chdf5_default()), close: H5Fclose) else {
        throw LogError(
          path: path, problem: "this HDF5 file is truncated or damaged: the library cannot open it",
          remedy: "fetch or copy the file again")
      }
      self.path = path
      self.size = size
      self.handle = handle
    }

    /// Returns the names of a group's members in alphabetical order, by default of the root group and at most 64 for
    /// messages.
    func memberNames(of group: String = ".", atMost count: Int = 64) -> [String] {
      var info = H5G_info_t()
      guard H5Gget_info_by_name(handle.id, group, &info, chdf5_default()) >= 0 else { return [] }
      var names: [String] = []
      for index in 0..<min(info.nlinks, hsize_t(count)) {
        var buffer = [CChar](repeating: 0, count: 256)
        let length = H5Lget_name_by_idx(
          handle.id, group, H5_INDEX_NAME, H5_ITER_INC, index, &buffer, buffer.count, chdf5_default())
        guard length >= 0 else { break }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        names.append(String(decoding: bytes, as: UTF8.self))
      }
      return names
    }

    /// Whether the root group has a member with this name.
    func contains(_ name: String) -> Bool {
      H5Lexists(handle.id, name, chdf5_default()) > 0
    }

    /// Whether the root group has a group with this name.
    func isGroup(_ name: String) -> Bool {
      var info = H5G_info_t()
      return H5Gget_info_by_name(handle.id, name, &info, chdf5_default()) >= 0
    }

    /// Returns a numeric attribute of a group, by default the root group, with a single value, or `nil` if it is
    /// missing or has another shape.
    func attribute(_ name: String, of group: String = ".") -> Double? {
      guard H5Aexists_by_name(handle.id, group, name, chdf5_default()) > 0,
        let attribute = HDF5Handle(
          H5Aopen_by_name(handle.id, group, name, chdf5_default(), chdf5_default()), close: H5Aclose),
        let type = HDF5Handle(H5Aget_type(attribute.id), close: H5Tclose),
        HDF5Dataset.isBoolean(type.id) == false,
        let space = HDF5Handle(H5Aget_space(attribute.id), close: H5Sclose),
        H5Sget_simple_extent_npoints(space.id) == 1
      else { return nil }
      var value = 0.0
      guard H5Aread(attribute.id, chdf5_native_double(), &value) >= 0 else { return nil }
      return value
    }

    /// Opens a dataset of the root group: a list of numbers (`columns` = 1) or a table of `columns` columns.
    func dataset(_ name: String, columns: Int) throws(LogError) -> HDF5Dataset {
      try HDF5Dataset(file: self, parent: handle.id, name: name, columns: columns)
    }
  }
#endif
