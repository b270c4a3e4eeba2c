#if HDF5
  internal import CInertialHDF5

  /// What a dataset of one row per sample is and how it is stored, checked before anything of it is read.
  ///
  /// A file is not to be believed: a few bytes can claim 2⁶⁰ rows, or chunks that no memory holds.
  /// Use only inside `HDF5Library.exclusively`.
  struct HDF5Layout {
    /// The kinds of numbers BROAD and its relatives hold.
    enum Element { case floatingPoint, smallInteger, boolean }

    let rows: Int
    let element: Element
    /// Bytes of cache that keep one row of chunks; with less, each block of rows would decompress it anew.
    let cacheSize: Int

    private static let largestCacheSize = 256 << 20
    /// A deflate stream expands at most 1032 to 1, which bounds what a file of a given size can hold.
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
        // HDF5 keeps the size of a chunk below 4 GiB and the extents were bounded above: nothing overflows.
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

    /// The extents of a simple data space; empty where it has none, or more than two.
    private static func extents(of space: hid_t) -> [hsize_t] {
      guard H5Sis_simple(space) > 0 else { return [] }
      let rank = H5Sget_simple_extent_ndims(space)
      guard rank == 1 || rank == 2 else { return [] }
      var extents = [hsize_t](repeating: 0, count: Int(rank))
      return H5Sget_simple_extent_dims(space, &extents, nil) == rank ? extents : []
    }

    /// What the type's values are; nil for types that are not read (odd formats are where libraries crash).
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
