#if HDF5
  import CInertialHDF5
  import Foundation

  @testable import InertialLogs

  /// A tiny BROAD recording, written with the HDF5 library.
  struct HDF5TestFile {
    enum Storage { case contiguous, chunkedDeflate }

    struct Table {
      var name: String
      var columns: Int
      var values: [Double]
      var isSingle = false
      /// Whether the table is stored like h5py stores booleans: as an enumeration of one byte.
      var isBoolean = false
    }

    var tables: [Table]
    var rate: Double? = 100
    var storage = Storage.contiguous
    /// Whether the newest file format (superblock 2 or 3) is written instead of the oldest, h5py's default.
    var isLatestFormat = false

    /// A flat device that rests and rotates slowly; the reference is missing in row 1.
    static func broad(rows: Int) -> HDF5TestFile {
      func table(_ name: String, _ row: (Double) -> [Double]) -> Table {
        let values = (0..<rows).flatMap { row(Double($0)) }
        return Table(name: name, columns: row(0).count, values: values)
      }
      var movement = table("movement") { [$0 >= 3 ? 1 : 0] }
      movement.isBoolean = true
      return HDF5TestFile(tables: [
        table("imu_acc") { [0.1 * $0, 0, 9.80665] }, table("imu_gyr") { [0.25, -0.5, 0.01 * $0] },
        table("imu_mag") { [20, 1 + $0, -43] },
        table("opt_quat") { $0 == 1 ? [.nan, .nan, .nan, .nan] : [0.5, 0.5, -0.5, 0.5] }, movement,
      ])
    }

    subscript(name: String) -> Table {
      get { tables.first { $0.name == name }! }
      set { tables[tables.firstIndex { $0.name == name }!] = newValue }
    }

    mutating func remove(_ name: String) { tables.removeAll { $0.name == name } }

    func write(to url: URL) {
      withHDF5 {
        let access = H5Pcreate(chdf5_file_access())
        if isLatestFormat { H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) }
        let file = H5Fcreate(url.path, chdf5_truncate(), chdf5_default(), access)
        precondition(file >= 0, "cannot create \(url.path)")
        if let rate { writeAttribute("sampling_rate", rate, to: file) }
        for table in tables { write(table, to: file) }
        H5Fclose(file)
        H5Pclose(access)
      }
    }

    private func writeAttribute(_ name: String, _ value: Double, to file: hid_t) {
      let space = H5Screate(H5S_SCALAR)
      let attribute = H5Acreate2(file, name, chdf5_float64(), space, chdf5_default(), chdf5_default())
      withUnsafePointer(to: value) { _ = H5Awrite(attribute, chdf5_native_double(), $0) }
      H5Aclose(attribute)
      H5Sclose(space)
    }

    private func write(_ table: Table, to file: hid_t) {
      let rows = table.values.count / table.columns
      let extents = [hsize_t(rows), hsize_t(table.columns)]
      let rank: Int32 = table.columns == 1 ? 1 : 2
      let space = H5Screate_simple(rank, extents, nil)
      let properties = H5Pcreate(chdf5_dataset_create())
      if storage == .chunkedDeflate, rows > 0 {
        H5Pset_chunk(properties, rank, [hsize_t(max(rows / 2, 1)), 1])
        H5Pset_deflate(properties, 9)
      }
      var type = table.isSingle ? chdf5_float32() : chdf5_float64()
      if table.isBoolean {
        type = H5Tenum_create(chdf5_native_int8())
        for (name, value) in [("FALSE", Int8(0)), ("TRUE", 1)] {
          withUnsafePointer(to: value) { _ = H5Tenum_insert(type, name, $0) }
        }
      }
      let dataset = H5Dcreate2(file, table.name, type, space, chdf5_default(), properties, chdf5_default())
      precondition(dataset >= 0, "cannot create \(table.name)")
      if table.isBoolean {
        H5Dwrite(dataset, type, chdf5_all(), chdf5_all(), chdf5_default(), table.values.map { Int8($0) })
        H5Tclose(type)
      } else {
        H5Dwrite(dataset, chdf5_native_double(), chdf5_all(), chdf5_all(), chdf5_default(), table.values)
      }
      H5Dclose(dataset)
      H5Pclose(properties)
      H5Sclose(space)
    }
  }
#endif
