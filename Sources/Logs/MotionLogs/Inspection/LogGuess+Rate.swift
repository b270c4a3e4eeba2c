internal import InertialSensors
internal import InertialSystem

extension LogGuess {
  /// The usual sample rates of sensors, in Hz.
  private static let usualRates: [Double] = [
    10, 12.5, 15, 20, 25, 30, 32, 40, 50, 60, 64, 75, 80, 90, 100, 104, 120, 128, 148, 150, 200, 208, 240, 250, 256,
    300, 400,
    416, 500, 512, 800, 833, 1000, 1024,
  ]
  /// The rate at which the rows are read for the comparison, in Hz: at least one row for each mean of the sketch.
  private static let nominalRate = 40.0

  /// Determines the sample rate at which the rates match the rotation of gravity. Returns no part if the rotation is
  /// insufficient.
  func sampleRate() throws(Undetermined) -> [Part] {
    var trial = options
    trial.sampleRate = Self.nominalRate
    guard let samples = Self.samples(path, trial), samples.count >= Self.enough else {
      throw Undetermined("without a clock, the units must be stated")
    }
    let test = GravityRotationTest(short: samples.lazy.filter { $0.channel <= .accelerometer })
    guard let found = test.rowRate(read: Self.nominalRate) else {
      throw Undetermined("the device turns too little to determine the rate")
    }
    let usual = Self.usualRates.filter { found.possible.contains($0) }
    let rate = usual.min { abs(log($0 / found.best)) < abs(log($1 / found.best)) } ?? found.best.rounded()
    return [
      Part(
        answer: .sampleRate(rate), certainty: usual.count == 1 ? .likely : .open,
        test:
          "gravity turns with the rates at \(rounded(found.possible.lowerBound)) to \(rounded(found.possible.upperBound)) "
          + "rows per second, of which \(rounded(rate)) is \(usual.count == 1 ? "the only" : "one") usual rate")
    ]
  }
}

extension GravityRotationTest {
  /// The ratio of consecutive candidate rates, and the range of rates, in Hz.
  private static let (step, slowest, fastest) = (1.025, 5.0, 2000.0)
  /// The margins of the misfit: over no rotation, and two standard deviations.
  private static let (overRest, excluded) = (8.0, 4.0)

  /// Returns the rate of rows without a clock, in Hz, at which the rates match the rotation of gravity, or `nil` if the
  /// rotation is insufficient.
  ///
  /// - Parameter nominal: The rate at which the rows were read, in Hz.
  func rowRate(read nominal: Double) -> (best: Double, possible: ClosedRange<Double>)? {
    guard pairCount > 0 else { return nil }
    let rates = Array(sequence(first: Self.slowest) { $0 < Self.fastest ? $0 * Self.step : nil })
    // Rows that are read too slowly yield too large a rotation.
    let fits = rates.map { fit(scale: nominal / $0).misfit }
    guard let best = fits.indices.min(by: { fits[$0] < fits[$1] }), best > 0, best < fits.count - 1,
      fits[best] < fitAtRest().misfit - Self.overRest
    else { return nil }
    let possible = rates.indices.filter { fits[$0] < fits[best] + Self.excluded }.map { rates[$0] }
    return (rates[best], possible[0] / Self.step...possible[possible.count - 1] * Self.step)
  }
}
