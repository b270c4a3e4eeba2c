import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Columns")
struct ColumnsTests {
  /// A handheld walk: sensors of three rates, a gap, lost samples, and bad samples.
  private static let samples: [SensorSample] = {
    var suite = SensorSuite.phone.forFilters(rates: (94, 101, 25))
    suite.gyroscope!.gaps = [3...4]
    suite.accelerometer!.lossProbability = 0.05
    // The gyroscope begins before the accelerometer: its first rows have no attitude.
    suite.accelerometer!.startOffset = 0.1
    return Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 7).samples()
      .injecting(.notANumber, into: .accelerometer, at: 2, count: 9)
      .injecting(.impossible, into: .gyroscope, at: 5)
  }()

  /// Returns one estimate per gyroscope sample, after all samples with its timestamp.
  private func oneByOne(_ filter: inout any AttitudeFilter, _ samples: [SensorSample]) -> [AttitudeEstimate?] {
    var result: [AttitudeEstimate?] = []
    for (index, sample) in samples.enumerated() {
      filter.take(sample)
      let isLast = index + 1 == samples.count || samples[index + 1].time > sample.time
      guard isLast else { continue }
      let rates = samples[...index].reversed().prefix { $0.time == sample.time }
      if rates.contains(where: { $0.channel == .gyroscope }) { result.append(filter.estimate) }
    }
    return result
  }

  @Test(
    "columns of three clocks and samples one by one give the same results and state, bit for bit",
    arguments: FilterKind.all)
  func sameAsSamples(kind: FilterKind) throws {
    var (byColumns, bySamples) = (kind.standard(), kind.standard())
    let result = try byColumns.estimates(of: Recording(Self.samples))
    let expected = oneByOne(&bySamples, Self.samples)
    #expect(result.times == Self.samples.filter { $0.channel == .gyroscope }.map(\.time))
    #expect((0..<result.count).map { result[$0] } == expected)
    #expect(haveSameState(byColumns, bySamples))
    #expect(result.firstKnownRow == 10)
    #expect(result.flags.prefix(10).allSatisfy { $0 == .converging } && result.quaternions[9].w.isNaN)
    #expect(result.attitudeSigmas.count == (kind.traits.contains(.covariance) ? result.count : 0))
  }

  @Test(
    "one column of times, or a rate instead of times, gives the same results as separate columns",
    arguments: [true, false])
  func sharedTimes(hasField: Bool) throws {
    let suite = SensorSuite.ideal.forFilters(hasField: hasField, rates: (50, 50, 50))
    let recording = Simulation(trajectory: TurnTrajectory(start: 2), sensors: suite, duration: 5).recording()
    let rates = try #require(recording[.gyroscope])
    let accelerations = try #require(recording[.accelerometer]?.values)
    let field = recording[.calibratedMagneticField]?.values
    #expect((field != nil) == hasField)
    var (a, b, c) = (MahonyFilter(), MahonyFilter(), MahonyFilter())
    let expected = try a.estimates(of: recording)
    let byTimes = try b.estimates(
      times: rates.times, gyroscope: rates.values, accelerometer: accelerations, magneticField: field)
    let byRate = try c.estimates(
      sampleRate: 50, gyroscope: rates.values, accelerometer: accelerations, magneticField: field)
    #expect(expected.count == 250 && expected.firstKnownRow == 0)
    #expect(byTimes == expected)
    #expect(byRate == expected)
  }

  @Test("a log in two parts gives the rows of the whole log", arguments: FilterKind.all)
  func parts(kind: FilterKind) throws {
    let cut = Self.samples.firstIndex { $0.time > 2.5 }!
    var (whole, parts) = (kind.standard(), kind.standard())
    let expected = try whole.estimates(of: Recording(Self.samples))
    let first = try parts.estimates(of: Recording(Self.samples[..<cut]))
    let second = try parts.estimates(of: Recording(Self.samples[cut...]))
    #expect(first.quaternions.count + second.quaternions.count == expected.count)
    #expect(second.quaternions == Array(expected.quaternions[first.count...]))
    #expect(haveSameState(whole, parts))
  }

  @Test("rows without a field sample are NaN in its column, and are skipped")
  func sparseField() throws {
    let suite = SensorSuite.ideal.forFilters(rates: (50, 50, 50))
    var recording = Simulation(trajectory: TurnTrajectory(start: 2), sensors: suite, duration: 5).recording()
    let field = try #require(recording[.calibratedMagneticField])
    let kept = field.times.indices.filter { $0.isMultiple(of: 5) }
    recording.columns[.calibratedMagneticField] = SensorColumn(
      times: kept.map { field.times[$0] }, values: kept.map { field.values[$0] })
    var dense = recording
    dense.columns[.calibratedMagneticField] = SensorColumn(
      times: field.times,
      values: field.values.enumerated().map { $0.isMultiple(of: 5) ? $1 : Vector3(repeating: .nan) })
    var (a, b) = (ComplementaryFilter(), ComplementaryFilter())
    let (sparse, withNaN) = (try a.estimates(of: recording), try b.estimates(of: dense))
    #expect(sparse.quaternions == withNaN.quaternions)
    #expect(withNaN.flags[6].contains(.magneticFieldRejected) && !sparse.flags[6].contains(.magneticFieldRejected))
  }

  @Test("without any acceleration there are rows without an attitude, and without any rate no rows")
  func missingSensors() throws {
    let rates = SensorColumn(values: [.zero, .zero, .zero], sampleRate: 100, start: 5)
    let field = SensorColumn(values: [Vector3(20, 0, -40)], sampleRate: 100, start: 5)
    var filter = MahonyFilter()
    let result = try filter.estimates(
      of: Recording(columns: [.gyroscope: rates, .calibratedMagneticField: field]))
    #expect(result.times == [5, 5.01, 5.02] && result.firstKnownRow == 3)
    #expect(result[0] == nil && result[2] == nil && result.attitudeSigmas.isEmpty)
    let accelerations = SensorColumn(values: [-.unitZ], sampleRate: 100)
    #expect(try filter.estimates(of: Recording(columns: [.accelerometer: accelerations])).count == 0)
    #expect(filter.estimate != nil)
  }

  @Test("vectors after the last rate are also processed")
  func afterTheLastRate() throws {
    var filter = ComplementaryFilter()
    let recording = Recording(columns: [
      .gyroscope: SensorColumn(times: [0], values: [.zero]),
      .accelerometer: SensorColumn(times: [0, 0.5], values: [-.unitZ, .zero]),
    ])
    _ = try filter.estimates(of: recording)
    #expect(filter.estimate!.flags.contains(.accelerometerRejected))
  }

  @Test("columns of different lengths are an error that names the column and the lengths")
  func lengths() {
    let (three, two) = ([Vector3](repeating: .zero, count: 3), [Vector3](repeating: .zero, count: 2))
    let times = [0, 0.01, 0.02]
    func error(_ gyroscope: [Vector3], _ accelerometer: [Vector3], _ field: [Vector3]?) -> MotionColumnsError? {
      var filter = MahonyFilter()
      let error = #expect(throws: MotionColumnsError.self) {
        try filter.estimates(times: times, gyroscope: gyroscope, accelerometer: accelerometer, magneticField: field)
      }
      // No sample was processed.
      #expect(filter.state == MahonyFilter().state)
      return error
    }
    #expect(error(two, three, three) == .countsDiffer(.gyroscope, values: 2, times: 3))
    #expect(error(three, two, nil) == .countsDiffer(.accelerometer, values: 2, times: 3))
    #expect(error(three, three, two) == .countsDiffer(.magneticField, values: 2, times: 3))
    #expect(
      error(three, three, two)!.description
        == "the magneticField column has 2 values and 3 times; every value needs one")
    var filter = MahonyFilter()
    #expect(throws: MotionColumnsError.countsDiffer(.accelerometer, values: 2, times: 3)) {
      try filter.estimates(sampleRate: 100, gyroscope: three, accelerometer: two)
    }
  }

  @Test(
    "times that decrease or are not numbers are an error that names the row; equal times are not",
    arguments: [0.005, -.infinity, .nan])
  func times(wrong: Double) {
    var filter = MahonyFilter()
    let values = [Vector3](repeating: -.unitZ, count: 4)
    let good = SensorColumn(times: [0, 0.01, 0.01, 0.02], values: values)
    let bad = SensorColumn(times: [0, 0.01, wrong, 0.02], values: values)
    #expect(throws: Never.self) {
      try filter.estimates(of: Recording(columns: [.gyroscope: good, .accelerometer: good]))
    }
    let error = #expect(throws: MotionColumnsError.timesFall(.accelerometer, row: 2)) {
      try filter.estimates(of: Recording(columns: [.gyroscope: good, .accelerometer: bad]))
    }
    #expect(
      error!.description.hasPrefix("the time in row 2 of the accelerometer column is not a number, or is earlier"))
  }

  @Test("a rate that is not positive and finite is an error", arguments: [0, -100, .infinity, .nan])
  func sampleRate(rate: Double) {
    var filter = MahonyFilter()
    let error = #expect(throws: MotionColumnsError.self) {
      try filter.estimates(sampleRate: rate, gyroscope: [], accelerometer: [])
    }
    #expect(error!.description.hasSuffix("samples per second is not a valid rate; it must be a positive number"))
  }

  @Test("the field of a recording comes from the requested channel, and other channels are not used")
  func fieldChannel() throws {
    let suite = SensorSuite.ideal.forFilters(rates: (50, 50, 50))
    var recording = Simulation(trajectory: TurnTrajectory(start: 2), sensors: suite, duration: 5).recording()
    var (a, b, c, d) = (MahonyFilter(), MahonyFilter(), MahonyFilter(), MahonyFilter())
    let expected = try a.estimates(of: recording)
    let without = try b.estimates(of: recording, field: nil)
    recording.columns[.magnetometer] = recording.columns.removeValue(forKey: .calibratedMagneticField)
    #expect(try c.estimates(of: recording) == without && without != expected)
    #expect(try d.estimates(of: recording, field: .magnetometer) == expected)
  }
}
