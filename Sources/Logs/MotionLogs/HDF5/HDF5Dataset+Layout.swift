#if HDF5
  internal import CInertialHDF5

  extension HDF5Dataset {
    private static let largestCacheSize = 256 << 20
    /// The maximum expansion of a deflate stream, which limits the content of a file of a given size.
    private static let largestExpansion = 1032

    /// Checks the layout of a dataset with one row per sample before its content is read, and closes the dataset, as a
    /// chunk cache is only applied if no other handle is open.
    ///
    /// A file is untrusted: a few bytes can declare 2⁶⁰ rows, or chunks that exceed the memory. `cacheSize` is the size
    /// of one row of chunks, in bytes: a smaller cache would decompress the chunks again for each block of rows.
    static func layout(
      of name: String, in parent: hid_t, fileSize: Int, columns: Int, _ failure: (String) -> LogError
    ) throws(LogError) -> (rows: Int, isBoolean: Bool, cacheSize: Int) {
      guard let dataset = HDF5Handle(H5Dopen2(parent, name, chdf5_default()), close: H5Dclose) else {
        throw failure("cannot be opened")
      }
      guard let type = HDF5Handle(H5Dget_type(dataset.id), close: H5Tclose),
        let space = HDF5Handle(H5Dget_space(dataset.id), close: H5Sclose),
        let properties = HDF5Handle(H5Dget_create_plist(dataset.id), close: H5Pclose)
      else { throw failure("is damaged") }

      guard let isBoolean = Self.isBoolean(type.id) else {
        throw failure("holds neither 32-bit nor 64-bit floating-point numbers, small integers or booleans")
      }
      let extents = Self.extents(of: space.id)
      guard extents.count == (columns == 1 ? 1 : 2), columns == 1 || extents[1] == columns else {
        let shape = extents.map(String.init).joined(separator: " x ")
        throw failure("has the shape (\(shape)) instead of (rows\(columns == 1 ? "" : " x \(columns)"))")
      }
      let rowSize = UInt64(columns * H5Tget_size(type.id))
      let bytes = extents[0].multipliedReportingOverflow(by: rowSize)
      guard !bytes.overflow, bytes.partialValue / UInt64(Self.largestExpansion) <= UInt64(fileSize) else {
        throw failure("claims \(extents[0]) rows, which a file of \(fileSize) bytes cannot hold")
      }

      let cacheSize: Int
      switch H5Pget_layout(properties.id) {
      case H5D_COMPACT:
        cacheSize = 0
      case H5D_CONTIGUOUS:
        guard H5Pget_external_count(properties.id) == 0 else {
          throw failure("has its numbers in another file")
        }
        guard H5Dget_storage_size(dataset.id) >= bytes.partialValue, bytes.partialValue <= UInt64(fileSize)
        else {
          throw failure("claims \(extents[0]) rows, but the file does not hold them")
        }
        cacheSize = 0
      case H5D_CHUNKED:
        var chunk = [hsize_t](repeating: 0, count: extents.count)
        guard H5Pget_chunk(properties.id, Int32(chunk.count), &chunk) == chunk.count, !chunk.contains(0)
        else {
          throw failure("is damaged")
        }
        let counts = zip(extents, chunk).map { ($0 + $1 - 1) / $1 }
        // HDF5 limits chunks to less than 4 GiB, and the extents are limited above, so this product cannot overflow.
        let chunkSize = chunk.reduce(UInt64(H5Tget_size(type.id)), &*)
        let rowOfChunks = chunkSize.multipliedReportingOverflow(by: counts.dropFirst().first ?? 1)
        guard !rowOfChunks.overflow, rowOfChunks.partialValue <= UInt64(Self.largestCacheSize),
          rowOfChunks.partialValue / UInt64(Self.largestExpansion) <= UInt64(fileSize)
        else { throw failure("is stored in chunks of \(chunkSize) bytes, too large to be read in blocks") }
        var stored: hsize_t = 0
        guard H5Dget_num_chunks(dataset.id, space.id, &stored) >= 0, stored == counts.reduce(1, &*) else {
          throw failure("claims \(extents[0]) rows, but the file does not hold them")
        }
        cacheSize = Int(rowOfChunks.partialValue)
      default:
        throw failure("is stored in a way other than compact, contiguous or chunked")
      }
      return (Int(extents[0]), isBoolean, cacheSize)
    }

    /// Returns the extents of a simple data space, or an empty array if their number is not 1 or 2.
    private static func extents(of space: hid_t) -> [hsize_t] {
      guard H5Sis_simple(space) > 0 else { return [] }
      let rank = H5Sget_simple_extent_ndims(space)
      guard rank == 1 || rank == 2 else { return [] }
      var extents = [hsize_t](repeating: 0, count: Int(rank))
      return H5Sget_simple_extent_dims(space, &extents, nil) == rank ? extents : []
    }

    /// Whether a type is a one-byte enumeration instead of floating-point numbers or small integers, or `nil` for
    /// unsupported types (libraries tend to crash on unusual formats).
    static func isBoolean(_ type: hid_t) -> Bool? {
      let size = H5Tget_size(type)
      switch H5Tget_class(type) {
      case H5T_FLOAT:
        let known = [
          chdf5_float32(), chdf5_float64(), chdf5_float32_big_endian(), chdf5_float64_big_endian(),
        ]
        return known.contains { H5Tequal(type, $0) > 0 } ? false : nil
      case H5T_INTEGER:
        return (size == 1 || size == 2 || size == 4) && H5Tget_precision(type) == 8 * size ? false : nil
      case H5T_ENUM: return size == 1 ? true : nil
      default: return nil
      }
    }
  }
#endif
