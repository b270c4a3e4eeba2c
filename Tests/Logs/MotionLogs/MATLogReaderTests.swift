import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Writes a MAT file of level 5, according to its specification.
struct MATTestFile {
  private let isCompressed: Bool
  private let isBig: Bool
  private(set) var bytes: [UInt8]

  init(isCompressed: Bool = false, isBig: Bool = false) {
    (self.isCompressed, self.isBig) = (isCompressed, isBig)
    let text = "MATLAB 5.0 MAT-file, made for a test"
    bytes = Array(text.utf8) + [UInt8](repeating: 0x20, count: 124 - text.utf8.count)
    bytes += isBig ? [0x01, 0x00, 0x4D, 0x49] : [0x00, 0x01, 0x49, 0x4D]
  }

  private func word(_ value: some BinaryInteger, bytes count: Int = 4) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBig ? little.reversed() : little
  }

  private func doubles(_ numbers: some Sequence<Double>) -> [UInt8] {
    numbers.flatMap { word($0.bitPattern, bytes: 8) }
  }

  private func element(_ type: Int, _ data: [UInt8]) -> [UInt8] {
    word(type) + word(data.count) + data + [UInt8](repeating: 0, count: (8 - data.count % 8) % 8)
  }

  /// Adds a matrix of doubles; matrices of other classes have doubles, too, and are skipped.
  mutating func add(_ name: String, rows: Int, columns: Int, kind: Int = 6, _ value: (Int, Int) -> Double) {
    let numbers = (0..<columns).flatMap { column in (0..<rows).map { value($0, column) } }
    add(name, rows: rows, columns: columns, kind: kind, element(9, doubles(numbers)))
  }

  /// Adds a structure of one element with matrices of doubles, each field column by column.
  mutating func add(structure name: String, _ fields: [(name: String, columns: [[Double]])]) {
    let names = fields.flatMap { Array($0.name.utf8) + [UInt8](repeating: 0, count: 32 - $0.name.utf8.count) }
    let matrices = fields.flatMap { field -> [UInt8] in
      let size = word(field.columns[0].count) + word(field.columns.count)
      let head = element(6, word(6) + word(0)) + element(5, size) + element(1, [])
      return element(14, head + element(9, doubles(field.columns.joined())))
    }
    add(name, rows: 1, columns: 1, kind: 2, element(5, word(32)) + element(1, names) + matrices)
  }

  /// Adds a matrix with a given element of numbers.
  mutating func add(_ name: String, rows: Int, columns: Int, kind: Int = 6, _ data: [UInt8]) {
    let body =
      element(6, word(kind) + word(0)) + element(5, word(rows) + word(columns)) + element(1, Array(name.utf8)) + data
    let whole = element(14, body)
    guard isCompressed else {
      bytes += whole
      return
    }
    let packed = ZlibStream.deflated(whole, .zlib)
    bytes += word(15) + word(packed.count) + packed
  }
}

@Suite("MAT files") struct MATLogReaderTests {
  private let folder = TemporaryFolder()

  private func reader(_ file: MATTestFile, _ options: LogOptions = LogOptions()) throws(LogError) -> MatrixLogReader {
    try MatrixLogReader(mat: folder.write(file.bytes, to: "a.mat"), options: options)
  }

  private func broad(isCompressed: Bool = false, isBig: Bool = false) -> MATTestFile {
    var file = MATTestFile(isCompressed: isCompressed, isBig: isBig)
    file.add("notes", rows: 1, columns: 1, kind: 2) { _, _ in 0 }
    file.add("imu_acc", rows: 2, columns: 3) { row, column in column == 2 - row ? 9.80665 : 0 }
    file.add("imu_gyr", rows: 2, columns: 3) { row, column in Double(10 * row + column) }
    file.add("imu_mag", rows: 2, columns: 3) { row, column in Double(20 * row + column) }
    file.add("opt_quat", rows: 2, columns: 4) { row, column in row == 0 ? [0.1, 0.2, 0.3, 0.4][column] : .nan }
    file.add("movement", rows: 2, columns: 1) { row, _ in Double(row) }
    file.add("sampling_rate", rows: 1, columns: 1) { _, _ in 50 }
    return file
  }

  @Test(
    "BROAD's matrices yield the same channels as its HDF5, compressed or not, in either byte order",
    arguments: [(false, false), (true, false), (false, true), (true, true)])
  func broadMatrices(isCompressed: Bool, isBig: Bool) throws {
    let path = folder.write(broad(isCompressed: isCompressed, isBig: isBig).bytes, to: "a.csv")
    var reader = try openLog(path: path)
    #expect(reader.description.format == "mat" && reader.description.referenceFrame == "enu")
    let samples = try readAll(&reader)
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(0, -1, 0)])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0, 1, 2), Vector3(10, 11, 12)])
    #expect(samples[.gyroscope].map(\.time) == [0, 0.02])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(0, 1, 2), Vector3(20, 21, 22)])
    #expect(samples[.referenceAttitude].map(\.quaternion) == [Quaternion(x: 0.2, y: 0.3, z: 0.4, w: 0.1)])
    #expect(reader.emptyCounts == [.referenceAttitude: 1])
    #expect(samples[.movement].map(\.x) == [0, 1])
    #expect(reader.progress == 1)
  }

  @Test("matrices with other names require units, and may be transposed")
  func otherNames() throws {
    var file = MATTestFile()
    file.add("Accelerometer", rows: 3, columns: 2) { row, _ in row == 2 ? 1 : 0 }
    file.add("Gyroscope", rows: 3, columns: 2) { row, column in row == 0 ? Double(180 * column) : 0 }
    file.add("Magnetometer", rows: 3, columns: 2) { _, _ in 0.5 }
    file.add("time", rows: 1, columns: 2) { _, column in Double(500 * column) }
    var options = LogOptions()
    #expect(logError(of: try reader(file, options))?.remedy.hasPrefix("give the rate") == true)
    options.timeUnit = .milliseconds
    let all = logError(of: try reader(file, options))?.remedy ?? ""
    #expect(all.contains("--acceleration-unit m/s2 --rotation-unit rad/s --field-unit uT"))
    options.rotationUnit = .degreesPerSecond
    let rest = logError(of: try reader(file, options))?.remedy ?? ""
    #expect(rest.contains("--acceleration-unit m/s2 --field-unit uT") && !rest.contains("--rotation-unit"))
    options.accelerationUnit = .g
    #expect(try reader(file, options).description.notes.contains { $0.hasPrefix("Magnetometer not read") })
    options.fieldUnit = .gauss
    let samples = try readAll(reader(file, options))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(0, 0, -1)])
    #expect(samples[.gyroscope].map(\.vector) == [.zero, Vector3(.pi, 0, 0)])
    #expect(samples[.magnetometer][0].vector == Vector3(50, 50, 50) && samples[.accelerometer].map(\.time) == [0, 0.5])
  }

  @Test(
    "a structure's Acc, Gyr, Mag and fs are read at the rate fs with units as options",
    arguments: [(false, false), (true, false), (false, true)])
  func structure(isCompressed: Bool, isBig: Bool) throws {
    let fields: [(name: String, columns: [[Double]])] = [
      ("Acc", [[0, 9.80665], [0, 0], [9.80665, 0]]), ("Gyr", [[1, 2], [3, 4], [5, 6]]),
      ("Mag", [[20, 21], [0, 1], [-40, -41]]), ("fs", [[20]]),
    ]
    var file = MATTestFile(isCompressed: isCompressed, isBig: isBig)
    file.add(structure: "IMU", fields)
    let error = logError(of: try reader(file))
    #expect(error?.problem == "\"IMU.Acc\", \"IMU.Gyr\" and \"IMU.Mag\" do not specify their units")
    #expect(error?.remedy.contains("--acceleration-unit m/s2 --rotation-unit rad/s --field-unit uT") == true)
    let options = with(LogOptions()) {
      ($0.accelerationUnit, $0.rotationUnit, $0.fieldUnit) = (.metersPerSecondSquared, .radiansPerSecond, .microtesla)
    }
    let samples = try readAll(reader(file, options))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(-1, 0, 0)])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 3, 5), Vector3(2, 4, 6)])
    #expect(samples[.magnetometer].map(\.time) == [0, 0.05])
    file.add(structure: "hip", fields)
    #expect(logError(of: try reader(file, options))?.problem == "2 structures have an acceleration: IMU, hip")
  }

  @Test("numbers stored as smaller types, also in small elements, have the correct values")
  func storage() throws {
    var file = MATTestFile()
    // MATLAB stores whole numbers in the smallest type: −1, 2, 3 as bytes in an element of eight bytes.
    file.add("imu_acc", rows: 1, columns: 3, [1, 0, 3, 0, 0xFF, 2, 3, 0])
    // Single precision: 1, −2, 0.5.
    let single: [UInt8] = [7, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F, 0, 0, 0, 0]
    file.add("imu_gyr", rows: 1, columns: 3, single)
    file.add("sampling_rate", rows: 1, columns: 1, [4, 0, 2, 0, 0x1E, 0x01, 0, 0])
    let reader = try reader(file, with(LogOptions()) { $0.accelerationUnit = .g })
    #expect(reader.description.declaredRate == 286)
    let samples = try readAll(reader)
    #expect(samples[.accelerometer][0].vector == Vector3(1, -2, -3))
    #expect(samples[.gyroscope][0].vector == Vector3(1, -2, 0.5))
  }

  @Test("a file shorter than declared, and matrices that do not fit, are refused with a message")
  func damage() throws {
    func problem(_ file: MATTestFile) -> String? { logError(of: try reader(file))?.problem }
    let (count, one) = (2_000_000_000, [9, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as [UInt8])
    for isCompressed in [false, true] {
      var file = MATTestFile(isCompressed: isCompressed)
      file.add("imu_acc", rows: count, columns: count, one)
      #expect(problem(file)?.contains("variable imu_acc") == true, "\(problem(file) ?? "")")
    }
    var uneven = MATTestFile()
    uneven.add("imu_acc", rows: 4, columns: 3) { _, _ in 1 }
    uneven.add("imu_gyr", rows: 5, columns: 3) { _, _ in 1 }
    uneven.add("sampling_rate", rows: 1, columns: 1) { _, _ in 50 }
    #expect(problem(uneven) == "imu_gyr is 5 by 3, and not 4 by 3")
    var none = MATTestFile()
    none.add("imu_acc", rows: 4, columns: 3, kind: 2) { _, _ in 1 }
    #expect(problem(none) == "no matrix of acceleration (found: imu_acc)")
    var rate = MATTestFile()
    rate.add("imu_acc", rows: 4, columns: 3) { _, _ in 1 }
    #expect(problem(rate) == "no sampling_rate")
    let cut = folder.write(Array(broad().bytes.dropLast(200)), to: "cut.mat")
    #expect(logError(of: try MatrixLogReader(mat: cut))?.problem.contains("damaged") == true)
  }
}
