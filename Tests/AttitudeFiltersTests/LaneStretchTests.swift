import LinearAlgebra
import Rotations
import TestSupport
import Testing

@testable import AttitudeFilters

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Filters in lockstep where the sensors share one clock")
struct LaneStretchTests {
  /// A device that is turned to and fro, 9 axes at 100 Hz.
  private static func recording(_ number: Int, rows: Int = 400) -> MotionColumns {
    var motion = MotionColumns()
    for row in 0..<rows {
      let (t, phase) = (Double(row) / 100, Double(number))
      motion.gyroscope.append(Vector3(0.5 * sin(1.3 * t + phase), 0.4 * cos(0.7 * t), 0.3 * sin(0.31 * t)), at: t)
      motion.accelerometer.append(Vector3(0.1 * sin(t + phase), 0.1 * cos(2 * t), -0.98), at: t)
      motion.magneticField.append(Vector3(20 + sin(t + phase), 3 * cos(0.3 * t), -40), at: t)
    }
    return motion
  }

  /// Eleven, of which each has another fault long after the start-up.
  private static let recordings: [MotionColumns] = {
    var result = (0..<11).map { recording($0, rows: 330 + 17 * $0) }
    let nan = Vector3(repeating: .nan)
    result[1].gyroscope.values[260] = nan
    result[2].accelerometer.values[270] = Vector3(0, 41, 0)
    // Near the limit: allowed, but only by who looks closely.
    result[2].accelerometer.values[275] = Vector3(39.99, 39.99, 39.99)
    result[3].magneticField.values[280] = .zero
    result[3].magneticField.values[281] = Vector3(0, 0, 501)
    for row in 285..<295 { result[4].accelerometer.values[row] = Vector3(0.01, 0, 0.02) }
    for row in 300..<result[5].gyroscope.count {
      result[5].gyroscope.times[row] += 1.5
      result[5].accelerometer.times[row] += 1.5
      result[5].magneticField.times[row] += 1.5
    }
    result[6].accelerometer.times.remove(at: 290)
    result[6].accelerometer.values.remove(at: 290)
    result[7].gyroscope.times[310] = result[7].gyroscope.times[309]
    // Lost in all: the hold of the rate is told.
    for row in 305..<result[8].gyroscope.count {
      result[8].gyroscope.times[row] += 0.03
      result[8].accelerometer.times[row] += 0.03
      result[8].magneticField.times[row] += 0.03
    }
    // Rest.
    for row in 150..<result[9].gyroscope.count {
      result[9].gyroscope.values[row] = Vector3(0.01, 0, 0)
      result[9].accelerometer.values[row] = Vector3(0, 0, -1)
    }
    return result
  }()

  private static var sixAxis: [MotionColumns] {
    recordings.map {
      var motion = $0
      motion.magneticField = SensorColumn()
      return motion
    }
  }

  private func expectSame(_ lanes: AttitudeColumns, _ alone: AttitudeColumns, _ name: String) {
    #expect(lanes.times == alone.times)
    #expect(lanes.flags == alone.flags, "\(name)")
    #expect(lanes.firstKnownRow == alone.firstKnownRow)
    guard lanes.count == alone.count, lanes.quaternions.count == alone.count else {
      Issue.record("\(name): \(lanes.quaternions.count) rows")
      return
    }
    var (worst, worstBias) = (0.0, 0.0)
    for row in alone.firstKnownRow..<alone.count {
      let (a, b) = (lanes.quaternions[row], alone.quaternions[row])
      // Written so that NaN fails.
      let difference = max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z), abs(a.w - b.w))
      worst = difference <= worst ? worst : difference
      worstBias = max(worstBias, (lanes.gyroscopeBiases[row] - alone.gyroscopeBiases[row]).maximumMagnitude)
    }
    #expect(worst <= 1e-12, "\(name)")
    #expect(worstBias <= 1e-12, "\(name)")
  }

  private func check<Filter: BankedFilter>(_ type: Filter.Type, _ motions: [MotionColumns]) throws {
    for reference in HeadingReference.allCases {
      var parameters = Filter.Parameters()
      parameters.headingReference = reference
      let result = try LaneBank<Filter>().estimates(of: motions, parameters: parameters)
      for (index, (lanes, motion)) in zip(result, motions).enumerated() {
        var filter = Filter(parameters: parameters)
        expectSame(lanes, try filter.estimates(of: motion), "recording \(index), \(reference)")
      }
    }
  }

  @Test("each recording's columns are those of its own filter, whatever sample is bad, late or lost in one of them")
  func recordings() throws {
    try check(MahonyFilter.self, Self.recordings)
    try check(MadgwickFilter.self, Self.recordings)
    try check(MahonyFilter.self, Self.sixAxis)
    try check(MadgwickFilter.self, Self.sixAxis)
  }

  @Test("a field in some of the recordings only is used in those")
  func mixed() throws {
    try check(MahonyFilter.self, [Self.recording(0), Self.sixAxis[0], Self.recording(1), Self.sixAxis[1]])
  }

  @Test("a recording's columns are the same to the last digit whoever runs beside it, and with lanes left over")
  func neighbours() throws {
    let bank = LaneBank<MadgwickFilter>()
    let together = try bank.estimates(of: Self.recordings)
    for (index, (motion, columns)) in zip(Self.recordings, together).enumerated() {
      let own = try bank.estimates(of: [motion])[0]
      let differing = (columns.firstKnownRow..<columns.count).filter {
        own.quaternions[$0] != columns.quaternions[$0]
      }
      #expect(differing == [], "recording \(index)")
      #expect(own.gyroscopeBiases == columns.gyroscopeBiases)
      #expect(own.flags == columns.flags)
    }
  }

  @Test("a stretch goes on to the last row but one, and ends before a row that is not of its own time in all columns")
  func stretch() {
    let clean = Self.recording(0, rows: 200)
    func rows(_ change: (inout MotionColumns) -> Void) -> Int? {
      var motion = clean
      change(&motion)
      return LaneStretch(at: LaneCursor(), of: motion).rowsAhead(of: LaneCursor(), in: motion)
    }
    #expect(rows { _ in } == 199)
    #expect(rows { $0.magneticField = SensorColumn() } == 199)
    // Within a chunk and at each of its ends.
    for row in [1, 2, 63, 64, 65, 100, 128, 198] {
      #expect(rows { $0.gyroscope.times[row] += 0.001 } == row)
      #expect(rows { $0.accelerometer.times[row] += 0.001 } == row)
      #expect(rows { $0.magneticField.times[row] -= 0.001 } == row)
      // A sample that comes twice belongs to the row before.
      #expect(
        rows {
          $0.accelerometer.values.insert(.unitX, at: row)
          $0.accelerometer.times.insert($0.gyroscope.times[row - 1], at: row)
        }
          == (row == 1 ? nil : row - 1))
      #expect(rows { $0.gyroscope.times[row] = $0.gyroscope.times[row - 1] } == (row == 1 ? nil : row - 1))
    }
    #expect(rows { $0.gyroscope = SensorColumn() } == nil)
    #expect(rows { $0.accelerometer = SensorColumn() } == nil)
  }

  @Test("a cursor stands in a stretch where its columns are as far apart as at its start")
  func standing() {
    let motion = Self.recording(0, rows: 100)
    let stretch = LaneStretch(at: LaneCursor(), of: motion)
    let inside = LaneCursor().advanced(byPlain: 40, hasField: true)
    #expect(stretch.rowsAhead(of: inside, in: motion) == 59)
    #expect(stretch.rowsAhead(of: LaneCursor().advanced(byPlain: 40, hasField: false), in: motion) == nil)
    #expect(stretch.rowsAhead(of: LaneCursor().advanced(byPlain: 99, hasField: true), in: motion) == nil)
    #expect(LaneStretch().rowsAhead(of: LaneCursor(), in: motion) == nil)
  }

  @Test("numbers of lanes are gathered from columns and put side by side")
  func columns() {
    func check<Scalar: LaneScalar>(_: Scalar.Type) {
      let n = Scalar.laneCount
      let source = (0..<n).map { lane in (0..<8).map { Double(100 * lane + $0) } }
      let inputs = source.map { column in
        let copy = UnsafeMutablePointer<Double>.allocate(capacity: 8)
        copy.initialize(from: column, count: 8)
        return copy
      }
      let whole = (0..<n).map { _ in UnsafeMutablePointer<UInt16>.allocate(capacity: 8) }
      defer {
        for column in inputs { column.deallocate() }
        for column in whole { column.deallocate() }
      }
      let vectors = inputs.map { UnsafePointer<Double>?($0) }.withUnsafeBufferPointer {
        (Scalar.gathered($0.baseAddress!, 5), Scalar.gatheredVectors($0.baseAddress!, 3))
      }
      for lane in 0..<n {
        #expect(vectors.0[lane] == source[lane][5])
        #expect(vectors.1[lane] == Vector3(source[lane][3], source[lane][4], source[lane][5]))
      }
      let v = vectors.1
      inputs.map { UnsafeMutablePointer<Double>?($0) }.withUnsafeBufferPointer {
        Scalar.put(v.z, v.y, v.x, vectors.0 + 0.5, to: $0.baseAddress!, at: 1)
      }
      whole.map { UnsafeMutablePointer<UInt16>?($0) }.withUnsafeBufferPointer {
        Scalar.put(v.x, to: $0.baseAddress!, at: 2)
      }
      for lane in 0..<n {
        let first = Double(100 * lane)
        #expect((0..<6).map { inputs[lane][$0] } == [first, first + 5, first + 4, first + 3, first + 5.5, first + 5])
        #expect(whole[lane][2] == UInt16(first) + 3)
      }
    }
    check(Double.self)
    check(Lanes.self)
  }
}
