import Foundation
import InertialCalibration
import InertialNumerics
import TestSupport
import Testing

@Suite("Deviations of a series' means")
struct StabilityCurveTests {
  /// The portable generator's 1000 numbers of NIST SP 1065, section 12.4.
  static let nist: [Double] = {
    var n = 1_234_567_890
    return (0..<1000).map { _ in
      defer { n = 16807 * n % 2_147_483_647 }
      return Double(n) / 2_147_483_647
    }
  }()

  @Test(
    "NIST's 1000 numbers have the handbook's deviations to seven digits",
    arguments: [
      (StabilityDeviation.allan, [0.2922319, 0.09159953, 0.03241343]),
      (.modifiedAllan, [0.2922319, 0.06172376, 0.02170921]), (.hadamard, [0.2943883, 0.09581083, 0.03237638]),
      (.total, [0.2922319, 0.09134743, 0.03406530]),
    ])
  func handbook(kind: StabilityDeviation, expected: [Double]) throws {
    let points = points(Self.nist, kind, factors: [1, 10, 100])
    #expect(points.map(\.time) == [1, 10, 100])
    for (point, value) in zip(points, expected) { #expect(abs(point.deviation / value - 1) < 2e-7) }
  }

  private func points(
    _ values: [Double], period: Double = 1, _ kind: StabilityDeviation = .allan, factors: [Int]
  ) -> [StabilityCurve.Point] {
    StabilityCurve.curves(of: [RegularSeries(values, period: period)], kinds: [kind], factors: factors)[0][0].points
  }

  @Test("each deviation equals its equation, evaluated directly", arguments: StabilityDeviation.allCases, [1, 7, 40])
  func equations(kind: StabilityDeviation, m: Int) {
    // For every remainder after the whole vectors, and without a whole vector.
    for length in [122, 125, 131, 136, 401] { check(kind, m, Array(Self.nist.prefix(length))) }
  }

  private func check(_ kind: StabilityDeviation, _ m: Int, _ y: [Double]) {
    var x = [0.0]
    for value in y { x.append(x.last! + 0.5 * value) }
    // Reflected at both ends, eq. (25).
    func phase(_ k: Int) -> Double {
      if k < 0 { return 2 * x[0] - x[-k] }
      return k < x.count ? x[k] : 2 * x[x.count - 1] - x[2 * x.count - 2 - k]
    }
    let tau = 0.5 * Double(m)
    var terms: [Double] = []
    switch kind {
    case .allan:
      for i in 0..<(x.count - 2 * m) { terms.append((x[i + 2 * m] - 2 * x[i + m] + x[i]) / (2.0.squareRoot() * tau)) }
    case .modifiedAllan:
      for j in 0...(x.count - 3 * m) {
        let sum = (j..<(j + m)).reduce(0) { $0 + x[$1 + 2 * m] - 2 * x[$1 + m] + x[$1] }
        terms.append(sum / (Double(m) * 2.0.squareRoot() * tau))
      }
    case .hadamard:
      for i in 0..<(x.count - 3 * m) {
        terms.append((x[i + 3 * m] - 3 * x[i + 2 * m] + 3 * x[i + m] - x[i]) / (6.0.squareRoot() * tau))
      }
    case .total:
      for i in 1..<(x.count - 1) {
        terms.append((phase(i + m) - 2 * phase(i) + phase(i - m)) / (2.0.squareRoot() * tau))
      }
    }
    let expected = Statistics.rootMeanSquare(terms)!
    let point = points(y, period: 0.5, kind, factors: [m])[0]
    #expect(abs(point.deviation / expected - 1) < 1e-10 && point.terms == terms.count)
  }

  @Test("a series in which no term is possible has no point")
  func tooShort() {
    let curves = StabilityCurve.curves(
      of: [RegularSeries([1, 2, 3], period: 1)], kinds: StabilityDeviation.allCases, factors: [2, 4])[0]
    for curve in curves { #expect(curve.points.allSatisfy { $0.factor == 2 }) }
    #expect(StabilityCurve.factors(60, sampleCount: 3) == [1])
    #expect(StabilityCurve.factors(60, sampleCount: 1_000_000).last == 250_000)
  }

  /// Returns a noise of one kind with deviation 1 at a sample.
  static func noise(_ kind: PowerLawNoise, count: Int, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    let white = (0...count).map { _ in generator.normal() }
    switch kind {
    case .quantization: return zip(white, white.dropFirst()).map { $1 - $0 }
    case .randomWalk:
      var sum = 0.0
      return white.dropLast().map { value in
        sum += value
        return sum
      }
    case .flicker:
      // The sum of first-order processes an octave apart.
      var sums = [Double](repeating: 0, count: 16)
      return white.dropLast().map { _ in
        for index in sums.indices {
          let memory = exp(-1 / Double(1 << index))
          sums[index] = memory * sums[index] + (1 - memory * memory).squareRoot() * generator.normal()
        }
        return sums.reduce(0, +)
      }
    default: return Array(white.dropLast())
    }
  }

  @Test(
    "the noise type of a series is determined by the correlation of neighbours",
    arguments: [PowerLawNoise.quantization, .white, .flicker, .randomWalk])
  func noiseType(kind: PowerLawNoise) {
    for seed in 1...5 {
      let values = Self.noise(kind, count: 8192, seed: UInt64(seed))
      for point in points(values, period: 0.01, factors: [8, 16, 32]) { #expect(point.noise == kind) }
    }
  }

  @Test(
    "the interval of a point contains the true deviation as often as stated",
    arguments: [(PowerLawNoise.white, 20), (.white, 200), (.randomWalk, 100)], [StabilityDeviation.allan, .hadamard])
  func confidence(_ noise: (kind: PowerLawNoise, factor: Int), deviation: StabilityDeviation) {
    let runs = 300
    let series = (0..<runs).map {
      RegularSeries(Self.noise(noise.kind, count: 2000, seed: UInt64(1000 + $0)), period: 1)
    }
    let points = StabilityCurve.curves(of: series, kinds: [deviation], factors: [1, noise.factor]).map {
      $0[0].points[1]
    }
    let m = Double(noise.factor)
    let truth: Double
    switch (noise.kind, deviation) {
    case (.white, _): truth = 1 / m.squareRoot()
    // For a random walk in discrete steps: NIST's σ² = K² τ / 3 with the correction of a mean's first step.
    case (_, .allan): truth = ((2 * m * m + 1) / (6 * m)).squareRoot()
    default: truth = Statistics.rootMeanSquare(points.map(\.deviation))!
    }
    let held = points.count { $0.lower <= truth && truth <= $0.upper }
    #expect(Double(held) / Double(runs) >= 0.91, "\(held) of \(runs)")
  }

  @Test(
    "degrees of freedom match those of Greenhall and Riley",
    arguments: [
      // Mode, factor, values, and degrees of freedom by an independent program.
      (StabilityDeviation.allan, 10, 1000, 135.0714), (.allan, 100, 1000, 12.81493),
      (.modifiedAllan, 10, 1000, 94.63426),
      (.hadamard, 10, 1000, 113.6989), (.allan, 200, 10000, 72.765),
    ])
  func degreesOfFreedom(kind: StabilityDeviation, factor: Int, count: Int, degrees: Double) {
    let point = points(Self.noise(.white, count: count, seed: 3), kind, factors: [1, factor])[1]
    #expect(point.noise == .white && abs(point.degreesOfFreedom / degrees - 1) < 0.01)
  }

  @Test("chance does not classify noise as whiter at long times, where intervals would be far too narrow")
  func noWhiter() {
    let series = (0..<200).map { RegularSeries(Self.noise(.white, count: 4000, seed: UInt64(2000 + $0)), period: 1) }
    let factors = [1, 20, 50, 60, 70, 80, 100, 110, 120, 130, 200, 400, 800]
    let curves = StabilityCurve.curves(of: series, factors: factors).map { $0[0] }
    for (position, factor) in factors.enumerated() where factor >= 200 {
      let points = curves.map { $0.points[position] }
      #expect(points.allSatisfy { $0.noise.rawValue <= 0 })
      let truth = 1 / Double(factor).squareRoot()
      let held = points.count { $0.lower < truth && truth < $0.upper }
      #expect(held >= 182, "\(held) of 200 at \(factor)")
    }
  }

  @Test("noise that is white again beyond its memory is classified so with enough values, and else as red")
  func whiterAgain() {
    var generator = SeededGenerator(seed: 12)
    var value = 0.0
    let values = (0..<400_000).map { _ in
      value = 0.95 * value + generator.normal()
      return value
    }
    #expect(points(values, factors: [4, 400]).map(\.noise) == [.randomWalk, .white])
    #expect(points(Array(values.prefix(40_000)), factors: [4, 400]).map(\.noise) == [.randomWalk, .randomWalk])
  }

  @Test("a random loss of a fifth of the samples changes neither rate nor white noise", arguments: [0, 0.003])
  func lost(jitter: Double) throws {
    let values = Self.noise(.white, count: 60_000, seed: 13)
    var generator = SeededGenerator(seed: 14)
    let kept = values.indices.filter { _ in generator.uniform() > 0.2 }
    let times = kept.map { 0.01 * Double($0) + jitter * (2 * generator.uniform() - 1) }
    let grid = try #require(SampleGrid(times))
    #expect(abs(grid.period / 0.01 - 1) < 1e-4)
    let first = grid.places[0] - kept[0]
    #expect(zip(grid.places, kept).count { $0 != $1 + first } < (jitter == 0 ? 1 : kept.count / 100))
    let series = RegularSeries(kept.map { values[$0] }, on: grid)
    for point in StabilityCurve.curves(of: [series], factors: [1, 4, 16, 64, 256])[0][0].points {
      #expect(abs(point.deviation * Double(point.factor).squareRoot() - 1) < (point.factor < 100 ? 0.03 : 0.1))
    }
  }

  @Test("timestamps with jitter of most of a period, or rounded to milliseconds, are not a loss")
  func noLoss() throws {
    var generator = SeededGenerator(seed: 15)
    let jittering = (0..<20_000).map { 0.01 * Double($0) + 0.008 * (2 * generator.uniform() - 1) }.sorted()
    let grid = try #require(SampleGrid(jittering))
    #expect(grid.places == Array(0..<20_000) && abs(grid.period / 0.01 - 1) < 1e-4)
    let rounded = try #require(SampleGrid((0..<20_000).map { (Double($0) / 0.833).rounded() / 1000 }))
    #expect(rounded.places == Array(0..<20_000) && abs(rounded.period * 833 - 1) < 1e-4)
  }

  @Test("single outliers that noise does not explain are found, up to seven in a row")
  func outlying() {
    var values = Self.noise(.white, count: 10_000, seed: 16)
    for position in [0, 5000, 9999] { values[position] = 12 }
    for position in 7000..<7007 { values[position] = -15 }
    #expect(OutlierDetector.find(in: values) == [0, 5000] + Array(7000..<7007) + [9999])
    #expect(OutlierDetector.find(in: [Double](repeating: 0, count: 40) + [1] + [Double](repeating: 0, count: 20)) == [])
  }

  @Test("noise, rounded and held values, steps, drifts and random walks have no outliers")
  func notOutlying() {
    let white = Self.noise(.white, count: 1_000_000, seed: 17)
    let walk = Self.noise(.randomWalk, count: 100_000, seed: 18)
    for values in [
      white, white.map { (0.2 * $0).rounded() }, white.map { (3 * $0).rounded() }, walk,
      white.indices.map { white[$0 / 4 * 4] }, white.indices.map { white[$0] + ($0 < 300_020 ? 0 : 100) },
      white.indices.map { white[$0] + 1e-3 * Double($0) }, white.indices.map { white[$0] * ($0 < 500_000 ? 1 : 10) },
      [Double](repeating: 2, count: 1000),
    ] { #expect(OutlierDetector.find(in: values) == []) }
  }

  @Test("timestamps with jitter and pauses keep the position of every sample")
  func grid() throws {
    var generator = SeededGenerator(seed: 4)
    // A jitter of a quarter of the period in both directions, a clock of 102.4 Hz, lost samples and a pause.
    let lost: Set<Int> = Set(1000..<1500).union([50, 51, 300])
    let kept = (0..<4000).filter { !lost.contains($0) }
    let times: [Double] = kept.map { Double($0) / 102.4 + 0.0024 * (2 * generator.uniform() - 1) }
    let grid = try #require(SampleGrid(times))
    #expect(grid.places == kept && abs(grid.period * 102.4 - 1) < 1e-4)
    let series = RegularSeries(kept.map(Double.init), on: grid)
    #expect(series.missing == [50..<52, 300..<301, 1000..<1500] && series.values.count == 4000)
    #expect(abs(series.coverage - 3497.0 / 4000) < 1e-12)
  }

  @Test("timestamps in pairs, 2 and 18 ms apart, are a grid of 10 ms without gaps")
  func pairs() throws {
    let times: [Double] = (0..<2000).map { (index: Int) in 0.01 * Double(index) - 0.008 * Double(index % 2) }
    let grid = try #require(SampleGrid(times))
    #expect(grid.places == Array(0..<2000))
    #expect(SampleGrid([1]) == nil && SampleGrid([1, 1]) == nil)
  }

  @Test("gaps change no deviation by more than its interval allows", arguments: StabilityDeviation.allCases)
  func gaps(kind: StabilityDeviation) throws {
    let values = Self.noise(.white, count: 50_000, seed: 9)
    var generator = SeededGenerator(seed: 10)
    let kept = values.indices.filter { index in !(20_000..<26_000).contains(index) && generator.uniform() > 0.01 }
    let grid = try #require(SampleGrid(kept.map { 0.01 * Double($0) }))
    #expect(grid.count == values.count)
    let factors = [1, 10, 100, 1000, 4000]
    // Of twenty intervals of 95 %, one would miss the true value by chance.
    func curve(_ series: RegularSeries) -> StabilityCurve {
      StabilityCurve.curves(of: [series], kinds: [kind], factors: factors, confidence: 0.999)[0][0]
    }
    let whole = curve(RegularSeries(values, period: 0.01))
    let cut = curve(RegularSeries(kept.map { values[$0] }, on: grid))
    #expect(cut.points.count == factors.count)
    for (a, b) in zip(whole.points, cut.points) {
      #expect(b.terms < a.terms)
      // White noise: σ² = N² / τ, and for the modified deviation half of that at long times.
      let m = Double(a.factor)
      let fraction: Double = kind == .modifiedAllan ? 0.5 * (1 + 1 / (m * m)) : 1
      let truth = (0.01 * fraction / a.time).squareRoot()
      #expect(b.lower < truth && truth < b.upper)
    }
  }

  @Test("the ADIS16405's curve has 0.0409, 0.0430 and 0.0387 deg/s at a second", .needs(.data))
  func recording() throws {
    let series = try StaticRecording.axes().prefix(3)
    let curves = StabilityCurve.curves(of: Array(series), factors: [100])
    for (curve, expected) in zip(curves, [0.0409, 0.0430, 0.0387]) {
      #expect(abs(curve[0].points[0].deviation / expected - 1) < 0.002)
    }
  }

  @Test("six channels of a million rows take half a second at a hundred times, if nothing else runs", .needs(.data))
  func speed() throws {
    let series = try StaticRecording.axes()
    let factors = StabilityCurve.factors(112, sampleCount: 1_000_000)
    var minimum = Double.infinity
    for _ in 0..<5 {
      let start = ContinuousClock.now
      let curves = StabilityCurve.curves(of: series, factors: factors)
      minimum = min(minimum, start.duration(to: .now) / .seconds(1))
      #expect(curves.allSatisfy { $0[0].points.count == factors.count })
    }
    print("allan: 6 channels of 1,000,000 rows at \(factors.count) times in \(minimum) s at best")
  }
}

/// A million rows of an ADIS16405 at rest: three gyroscope axes in deg/s, three accelerometer axes in g.
enum StaticRecording {
  static func axes() throws -> [RegularSeries] {
    let data = try Data(contentsOf: TestData.url("static/adis_16405_imu1_f32le_rowmajor_1000000x6.bin"))
    let values = data.withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map {
        Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
    return (0..<6).map { axis in
      RegularSeries(stride(from: axis, to: values.count, by: 6).map { Double(values[$0]) }, period: 0.01)
    }
  }
}
