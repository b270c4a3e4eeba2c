#if HDF5
  import CInertialHDF5
  import Foundation
  import InertialNumerics
  import TestSupport
  import Testing

  @testable import InertialLogs

  @Suite("Tables in HDF5") struct HDF5TableWriterTests {
    private static let names = ["time", "noise", "nasty", "constant"]
    private let folder = TemporaryFolder()

    /// Rows of timestamps, noise, numbers that are hard to compress, and a constant.
    private func rows(_ count: Int) -> [[Double]] {
      var generator = SeededGenerator(seed: 5)
      let nasty: [Double] = [
        .nan, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, -1e-300,
      ]
      return (0..<count).map { [Double($0) / 100, generator.normal(), nasty[$0 % nasty.count], -1] }
    }

    private func write(_ rows: [[Double]], to name: String = "t.h5", force: Bool = false) throws {
      let writer = try HDF5TableWriter(
        path: folder.path(name), group: "walk", columns: Self.names.map { .init(name: $0) }, force: force)
      for row in rows { try writer.append(row) }
      #expect(writer.rowCount == rows.count)
      try writer.close()
    }

    private func readBack(_ name: String = "t.h5") throws -> [[Double]] {
      let table = try HDF5Table(path: folder.path(name), group: "walk")
      return try Self.names.map { try table.column($0) }
    }

    private func hasSameBits(_ columns: [[Double]], _ rows: [[Double]]) -> Bool {
      columns.indices.allSatisfy { column in columns[column].map(\.bitPattern) == rows.map { $0[column].bitPattern } }
    }

    @Test(
      "tables of no rows, a few, a chunk, one more, and beyond a trial read back with the same bits",
      arguments: [0, 1, 7, 8, 1003, 1 << 14, 1 << 14 + 1, 18 << 14 - 5])
    func roundTrip(count: Int) throws {
      let rows = rows(count)
      try write(rows)
      #expect(hasSameBits(try readBack(), rows))
    }

    @Test("a table in HDF5 contains the same numbers as the table in CSV")
    func sameAsCSV() throws {
      let rows = rows(3000)
      try write(rows)
      let csv = try NumberTableWriter(path: folder.path("t.csv"), columns: Self.names)
      for row in rows { try csv.append(row) }
      try csv.close()
      let parsed = folder.text("t.csv").split(separator: "\n").dropFirst().map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map { $0.isEmpty ? .nan : Double($0)! }
      }
      #expect(hasSameBits(try readBack(), parsed))
    }

    @Test("rows may be appended in batches other than chunks")
    func pieces() throws {
      let rows = rows(40_000)
      let writer = try HDF5TableWriter(
        path: folder.path("t.h5"), group: "walk", columns: Self.names.map { .init(name: $0) })
      for start in stride(from: 0, to: rows.count, by: 3333) {
        try writer.append(rows[start..<min(start + 3333, rows.count)].flatMap { $0 })
        try writer.flush()
      }
      try writer.close()
      #expect(hasSameBits(try readBack(), rows))
    }

    @Test("a constant compresses to almost nothing, noise by its sign and exponent")
    func size() throws {
      let rows = rows(1 << 15)
      try write(rows)
      let size = try #require(try InputFile(path: folder.path("t.h5")).size)
      // The bytes per row: 1 for regular timestamps, 7.5 of 8 for noise, 0.5 for eight cyclic numbers and the constant.
      #expect(size < rows.count * 9, "\(size)")
    }

    @Test("compressed planes that no longer shrink are stored from the next trial on")
    func trials() throws {
      let count = HDF5ChunkPacker.trialInterval + 1
      var generator = SeededGenerator(seed: 2)
      let noise = (0..<512).map { _ in Double(bitPattern: generator.next()) }
      let quiet = [Double](repeating: 2, count: 512)
      let packer = HDF5ChunkPacker(columns: 1, rows: 512)
      var planes: [UInt8] = []
      let sizes = (0..<count).map { number in
        let size = (number == 0 ? quiet : noise).withUnsafeBufferPointer {
          packer.pack($0, column: 0, columnCount: 1, number: number).count
        }
        planes.append(packer.deflated[0])
        return size
      }
      #expect(planes == Array(repeating: 0xFF, count: count - 1) + [0] && sizes[0] < 200)
      // The chunk does not compress and is stored: 4096 bytes and the markers of its parts.
      #expect(sizes[1...].allSatisfy { (4096..<4300).contains($0) }, "\(sizes)")
    }

    @Test("an existing file is refused and kept, or replaced with force")
    func force() throws {
      folder.write("mine", to: "t.h5")
      #expect(outputError { () throws(OutputError) in _ = try writer("t.h5") }?.kind == .exists)
      #expect(folder.text("t.h5") == "mine")
      try write(rows(3), force: true)
      #expect(try readBack()[0].count == 3)
      #expect(folder.contents == ["t.h5"])
    }

    private func writer(_ name: String) throws(OutputError) -> HDF5TableWriter {
      try HDF5TableWriter(path: folder.path(name), group: "walk", columns: [.init(name: "a")])
    }

    @Test("the file appears with close; a deallocated writer leaves no file")
    func atomic() throws {
      var dropped: HDF5TableWriter? = try writer("a.h5")
      try dropped?.append((0..<20_000).map(Double.init))
      #expect(!folder.contents.contains("a.h5"))
      dropped = nil
      #expect(folder.contents.isEmpty)
    }

    @Test("a stream or a missing folder is an error of one line")
    func errors() throws {
      for (path, word) in [("-", "standard output"), ("/dev/null", "-o FILE.h5"), (folder.path("no/t.h5"), "folder")] {
        let error = outputError { () throws(OutputError) in
          _ = try HDF5TableWriter(path: path, group: "walk", columns: [.init(name: "a")])
        }
        #expect(error?.description.contains(word) == true, "\(path): \(String(describing: error))")
      }
    }

    @Test("a file that is written under a temporary name is the same")
    func named() throws {
      let file = try AtomicFile(path: folder.path("t.h5"), isNamed: true)
      let outputPath = try #require(file.pathToFill)
      var table: HDF5TableFile? = try HDF5TableFile(
        at: outputPath, path: "t.h5", group: "walk", columns: Self.names.map { .init(name: $0) })
      let rows = rows(100)
      try rows.flatMap { $0 }.withUnsafeBufferPointer { try table?.append($0) }
      try table?.finish()
      table = nil
      try file.commit()
      #expect(hasSameBits(try readBack(), rows))
      #expect(folder.contents == ["t.h5"])
    }

    @Test("metadata are attributes of the file, the group and the columns, and columns are listed in order")
    func attributes() throws {
      let writer = try HDF5TableWriter(
        path: folder.path("t.h5"), group: "Spaziergang über Land",
        columns: [.init(name: "b", unit: "µT"), .init(name: "a")],
        facts: {
          ([.init("rate", 0.1)], [.init("notes", .texts(["one", "", "drei µ"])), .init("none", .texts([]))])
        })
      try writer.append([1, 2])
      try writer.close()
      try withHDF5 {
        let path = folder.path("t.h5")
        let file = try HDF5File(path: path, size: try #require(try InputFile(path: path).size))
        #expect(file.attribute("rate") == 0.1 && file.memberNames() == ["Spaziergang über Land"])
        let handle = try #require(HDF5Handle(H5Fopen(path, chdf5_read_only(), chdf5_default()), close: H5Fclose))
        #expect(texts(handle, "Spaziergang über Land", "notes") == ["one", "", "drei µ"])
        #expect(texts(handle, "Spaziergang über Land/b", "unit") == ["µT"])
        #expect(H5Aexists_by_name(handle.id, "Spaziergang über Land", "none", chdf5_default()) == 0)
        var name = [CChar](repeating: 0, count: 8)
        H5Lget_name_by_idx(
          handle.id, "Spaziergang über Land", H5_INDEX_CRT_ORDER, H5_ITER_INC, 0, &name, name.count, chdf5_default())
        #expect(name.first == CChar(UInt8(ascii: "b")))
      }
    }

    private func texts(_ file: HDF5Handle, _ object: String, _ name: String) -> [String]? {
      guard
        let attribute = HDF5Handle(
          H5Aopen_by_name(file.id, object, name, chdf5_default(), chdf5_default()), close: H5Aclose),
        let type = HDF5Handle(H5Aget_type(attribute.id), close: H5Tclose),
        let space = HDF5Handle(H5Aget_space(attribute.id), close: H5Sclose), H5Tget_cset(type.id) == H5T_CSET_UTF8
      else { return nil }
      var pointers = [UnsafeMutablePointer<CChar>?](repeating: nil, count: Int(H5Sget_simple_extent_npoints(space.id)))
      guard H5Aread(attribute.id, type.id, &pointers) >= 0 else { return nil }
      defer { H5Dvlen_reclaim(type.id, space.id, chdf5_default(), &pointers) }
      return pointers.map { $0.map { String(cString: $0) } ?? "" }
    }

    @Test("a file without the group is an error that lists its contents; other files are identified")
    func unknown() throws {
      try write(rows(1))
      HDF5TestFile.broad(rows: 3).write(to: folder.url.appendingPathComponent("broad.h5"))
      let cases = [("t.h5", "run", "walk"), ("broad.h5", "walk", "older form")]
      for (name, group, word) in cases {
        let error = logError { () throws(LogError) in try HDF5Table(path: folder.path(name), group: group) }
        #expect(error?.description.contains(word) == true, "\(String(describing: error))")
      }
    }
  }
#endif
