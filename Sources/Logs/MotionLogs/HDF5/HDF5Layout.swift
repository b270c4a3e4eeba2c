#if HDF5
  internal import CInertialHDF5

  /// The layout of a dataset with one row per sample, checked before its content is read.
  ///
  /// A file is untrusted: a few bytes can declare 2⁶⁰ rows, or chunks that exceed the memory. Use only inside
  /// `HDF5Library.exclusively`.
  struct HDF5Layout {
    /// The kinds of numbers in BROAD and similar files.
    enum Element { case floatingPoint, smallInteger, boolean }

    let rows: Int
    let element: Element
    /// The cache size for one row of chunks, in bytes. A smaller cache would decompress the chunks again for each block
    /// of rows.
    let cacheSize: Int

    private static let largestCacheSize = 256 << 20
    /// The maximum expansion of a deflate stream, which limits the content of a file of a given size.
    private static let largestExpansion = 1032

    init(file: HDF5File, dataset: hid_t, name: String, columns: Int) throws(LogError) {
      func failure(_ problem: String) -> LogError {
        LogError(
          path: file.path, problem: "dataset \(name) \(problem)", remedy: "look at it with h5dump -p -H")
      }
      guard let type = HDF5Handle(H5Dget_type(dataset), close: H5Tclose),
        let space = HDF5Handle(H5Dget_space(dataset), close: H5Sclose),
        let properties = HDF5Handle(H5Dget_create_plist(dataset), close: H5Pclose)
      else { throw failure("is damaged") }

      guard let element = Self.element(of: type.id) else {
        throw failure("holds neither 32-bit nor 64-bit floating-point numbers, small integers or booleans")
      }
      let extents = Self.extents(of: space.id)
      guard extents.count == (columns == 1 ? 1 : 2), columns == 1 || extents[1] == columns else {
        let shape = extents.map(String.init).joined(separator: " x ")
        throw failure("has the shape (\(shape)) instead of (rows\(columns == 1 ? "" : " x \(columns)"))")
      }
      let rowSize = UInt64(columns * H5Tget_size(type.id))
      let bytes = extents[0].multipliedReportingOverflow(by: rowSize)
      guard !bytes.overflow, bytes.partialValue / UInt64(Self.largestExpansion) <= UInt64(file.size) else {
        throw failure("claims \(extents[0]) rows, which a file of \(file.size) bytes cannot hold")
      }

      switch H5Pget_layout(properties.id) {
      case H5D_COMPACT:
        cacheSize = 0
      case H5D_CONTIGUOUS:
        guard H5Pget_external_count(properties.id) == 0 else {
          throw failure("has its numbers in another file")
        }
        guard H5Dget_storage_size(dataset) >= bytes.partialValue, bytes.partialValue <= UInt64(file.size)
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
          rowOfChunks.partialValue / UInt64(Self.largestExpansion) <= UInt64(file.size)
        else { throw failure("is stored in chunks of \(chunkSize) bytes, too large to be read in blocks") }
        var stored: hsize_t = 0
        guard H5Dget_num_chunks(dataset, space.id, &stored) >= 0, stored == counts.reduce(1, &*) else {
          throw failure("claims \(extents[0]) rows, but the file does not hold them")
        }
        cacheSize = Int(rowOfChunks.partialValue)
      default:
        throw failure("is stored in a way other than compact, contiguous or chunked")
      }
      self.rows = Int(extents[0])
      self.element = element
    }

    /// Returns the extents of a simple data space, or an empty array if their number is not 1 or 2.
    private static func extents(of space: hid_t) -> [hsize_t] {
      guard H5Sis_simple(space) > 0 else { return [] }
      let rank = H5Sget_simple_extent_ndims(space)
      guard rank == 1 || rank == 2 else { return [] }
      var extents = [hsize_t](repeating: 0, count: Int(rank))
      return H5Sget_simple_extent_dims(space, &extents, nil) == rank ? extents : []
    }

    /// Returns the type's kind of values, or `nil` for unsupported types (libraries tend to crash on unusual formats).
    static func element(of type: hid_t) -> Element? {
      let size = H5Tget_size(type)
      switch H5Tget_class(type) {
      case H5T_FLOAT:
        let known = [
          chdf5_float32(), chdf5_float64(), chdf5_float32_big_endian(), chdf5_float64_big_endian(),
        ]
        return known.contains { H5Tequal(type, $0) > 0 } ? .floatingPoint : nil
      case H5T_INTEGER:
        return (size == 1 || size == 2 || size == 4) && H5Tget_precision(type) == 8 * size
          ? .smallInteger : nil
      case H5T_ENUM:
        return size == 1 ? .boolean : nil
      default:
        return nil
      }
    }
  }
#endif
