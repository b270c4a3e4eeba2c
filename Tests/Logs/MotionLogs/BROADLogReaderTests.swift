#if HDF5
  import Foundation
  import InertialNumerics
  import InertialRotations
  import InertialSensors
  import TestSupport
  import Testing

  @testable import InertialLogs

  @Suite struct BROADLogReaderTests {
    private let folder = TemporaryFolder()

    private func write(_ file: HDF5TestFile, as name: String = "trial.hdf5") -> String {
      let url = folder.url.appendingPathComponent(name)
      file.write(to: url)
      return url.path
    }

    @Test(
      "a recording's units, signs, component order and clock are converted to Core Motion's",
      arguments: [HDF5TestFile.Storage.contiguous, .chunkedDeflate], [false, true])
    func conversion(storage: HDF5TestFile.Storage, isLatestFormat: Bool) throws {
      var file = HDF5TestFile.broad(rows: 5)
      file.storage = storage
      file.isLatestFormat = isLatestFormat
      let reader = try MatrixLogReader(broad: write(file))
      #expect(reader.description.referenceFrame == "enu" && reader.description.declaredRate == 100)

      let samples = try readAll(reader)
      #expect(samples[.accelerometer].map(\.time) == [0, 0.01, 0.02, 0.03, 0.04])
      #expect(isNear(samples[.accelerometer][0].vector, Vector3(0, 0, -1), within: 1e-15))
      #expect(isNear(samples[.accelerometer][4].vector, Vector3(-0.4 / 9.80665, 0, -1), within: 1e-15))
      #expect(samples[.gyroscope][2].vector == Vector3(0.25, -0.5, 0.02))
      #expect(samples[.calibratedMagneticField][3].vector == Vector3(20, 4, -43))
      #expect(samples[.calibratedMagneticField].allSatisfy { $0.w.isNaN } && samples[.magnetometer].isEmpty)
      // Row 1 was not tracked: it has no sample and is counted.
      #expect(samples[.referenceAttitude].map(\.time) == [0, 0.02, 0.03, 0.04])
      let reference = samples[.referenceAttitude][0]
      #expect([reference.x, reference.y, reference.z, reference.w] == [0.5, -0.5, 0.5, 0.5])
      #expect(samples[.movement].map(\.x) == [0, 0, 0, 1, 1])
    }

    @Test("rows without a reference are counted, and progress goes from 0 to 1")
    func countsAndProgress() throws {
      var reader = try MatrixLogReader(broad: write(.broad(rows: 5)))
      #expect(reader.progress == 0)
      var samples: [SensorSample] = []
      #expect(try reader.read(into: &samples))
      #expect(reader.progress == 1 && reader.emptyCounts == [.referenceAttitude: 1])
      #expect(try !reader.read(into: &samples))
    }

    @Test("32-bit floats are read as the equal doubles")
    func singlePrecision() throws {
      var file = HDF5TestFile.broad(rows: 3)
      for index in file.tables.indices where !file.tables[index].isBoolean { file.tables[index].isSingle = true }
      let samples = try readAll(MatrixLogReader(broad: write(file)))
      #expect(samples[.gyroscope][1].z == Double(Float(0.01)))
    }

    @Test("a long recording is read completely, in blocks")
    func blocks() throws {
      var file = HDF5TestFile.broad(rows: 2500)
      file.storage = .chunkedDeflate
      var reader = try MatrixLogReader(broad: write(file))
      var batches = 0
      var samples: [SensorSample] = []
      while try reader.read(into: &samples) { batches += 1 }
      #expect(batches == 3)
      let expected: [Double] = (0..<2500).map { 0.01 * Double($0) }
      #expect(samples[.gyroscope].map(\.z) == expected)
    }

    @Test("a log may lack field, reference and movement, and the description notes it")
    func optionalDatasets() throws {
      var file = HDF5TestFile.broad(rows: 2)
      for name in ["imu_mag", "opt_quat", "movement"] { file.remove(name) }
      let reader = try MatrixLogReader(broad: write(file))
      #expect(reader.description.referenceFrame == nil && reader.description.notes.contains("no dataset opt_quat"))
      #expect(Set(try readAll(reader).map(\.channel)) == [.accelerometer, .gyroscope])
    }

    @Test("missing datasets, wrong shapes and wrong lengths are errors that name the dataset")
    func wrongContents() throws {
      func problem(_ change: (inout HDF5TestFile) -> Void) -> String? {
        let path = write(with(.broad(rows: 3), change))
        return logError { () throws(LogError) in try MatrixLogReader(broad: path) }?.problem
      }
      #expect(problem { $0.remove("imu_gyr") } == "no dataset imu_gyr (found: imu_acc, imu_mag, movement, opt_quat)")
      #expect(
        problem { $0["opt_quat"] = .init(name: "opt_quat", columns: 3, values: [Double](repeating: 0, count: 9)) }
          == "dataset opt_quat has the shape (3 x 3) instead of (rows x 4)")
      #expect(problem { $0["imu_mag"].values.removeLast(3) } == "imu_acc has 3 rows and imu_mag has 2")
      let empty = problem { file in for index in file.tables.indices { file.tables[index].values = [] } }
      #expect(empty == "the datasets have no rows")
    }

    @Test("a missing or impossible rate is an error that names --sample-rate, which takes precedence")
    func rates() throws {
      var file = HDF5TestFile.broad(rows: 2)
      for rate in [nil, 0, -1, Double.nan, .infinity] {
        file.rate = rate
        let error = logError { () throws(LogError) in try MatrixLogReader(broad: write(file)) }
        #expect(error?.remedy == "give the rate with --sample-rate HZ")
      }
      let options = with(LogOptions()) { $0.sampleRate = 50 }
      #expect(try readAll(MatrixLogReader(broad: write(file), options: options)).last?.time == 0.02)
    }

    @Test("a missing file, a folder, an empty file and a text file have different errors")
    func notHDF5() {
      func problem(_ path: String) -> String? {
        logError { () throws(LogError) in try MatrixLogReader(broad: path) }?.problem
      }
      #expect(problem(folder.path("none.hdf5")) == "no such file" && problem(folder.path) == "is not a regular file")
      #expect(problem(folder.write("", to: "empty.hdf5")) == "the file is empty")
      let signature = "is not an HDF5 file: the signature is missing"
      #expect(problem(folder.write("time,x\n1,2\n", to: "text.hdf5")) == signature)
      #expect(problem(folder.write("\u{1}", to: "short.hdf5")) == signature)
    }

    @Test("several recordings can be read concurrently")
    func concurrency() async throws {
      var file = HDF5TestFile.broad(rows: 1500)
      file.storage = .chunkedDeflate
      let path = write(file)
      let expected = try readAll(MatrixLogReader(broad: path)).count
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 { group.addTask { try readAll(MatrixLogReader(broad: path)).count } }
        for try await count in group { #expect(count == expected) }
      }
    }

    @Test("the published trials are read completely, at rest with gravity down in the reference frame", .needs(.data))
    func realTrials() throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: TestData.url("broad").path)
        .filter { $0.hasSuffix(".hdf5") }
      #expect(names.count == 16)
      for name in names {
        var reader = try MatrixLogReader(broad: TestData.url("broad/" + name).path)
        var samples: [SensorSample] = []
        #expect(try reader.read(into: &samples))
        #expect(reader.description.referenceFrame == "enu")
        #expect(isNear(samples[.accelerometer][0].vector.norm, 1, within: 0.05))
      }
      for (name, rows) in [
        "02_undisturbed_slow_rotation_B.hdf5": 53240, "04_undisturbed_slow_rotation_with_breaks_A.hdf5": 60861,
      ] {
        let reader = try MatrixLogReader(broad: TestData.url("broad/" + name).path)
        #expect(isNear(reader.description.declaredRate!, 285.714, within: 1e-3))
        let samples = try readAll(reader)
        for channel in [SensorChannel.gyroscope, .accelerometer, .calibratedMagneticField, .movement] {
          #expect(samples[channel].count == rows)
        }
        // Gravity, rotated by the reference into ENU, points down in the rest before the movement.
        let references = Dictionary(uniqueKeysWithValues: samples[.referenceAttitude].map { ($0.time, $0) })
        let start = samples[.movement].first { $0.x == 1 }!.time
        let rest = samples[.accelerometer].prefix { $0.time < start }.compactMap { sample in
          references[sample.time].map { $0.quaternion.rotate(sample.vector) }
        }
        let mean = rest.reduce(Vector3.zero, +) / Double(rest.count)
        #expect(rest.count > 1000 && isNear(mean, Vector3(0, 0, -1), within: 0.03))
      }
    }
  }
#else
  import TestSupport
  import Testing

  @testable import InertialLogs

  @Suite struct BROADLogReaderTests {
    @Test("the error of a build without the trait explains how to get the reader")
    func withoutTrait() {
      let folder = TemporaryFolder()
      let path = folder.write([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A, 0x00], to: "trial.hdf5")
      #expect(openError(path)?.remedy.contains("trait HDF5") == true)
    }
  }
#endif
