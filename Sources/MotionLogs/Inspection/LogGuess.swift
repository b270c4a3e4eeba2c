internal import LinearAlgebra
internal import Sensors

/// The units of a log that does not state them, as its numbers tell: gravity has 1 g at rest, and turns in the device as the
/// gyroscope does.
enum LogGuess {
  /// The largest and the smallest number of samples that are read.
  private static let (most, enough) = (200_000, 200)
  /// Rates of sensors that follow a motion, Hz.
  private static let rates = 4.0...2500.0

  /// An error about units that are not stated, with the command that the numbers suggest; any other as it is.
  static func completed(_ error: LogError, path: String, options: LogOptions) -> LogError {
    guard !error.untold.isEmpty, !InputFile.isStream(path), options.held == nil,
      let guess = guess(for: error.untold.map(\.dimension), path: path, options: options)
    else { return error }
    var error = error
    let words = error.untold.compactMap { unit -> String? in
      let value: String? =
        switch unit.dimension {
        case .acceleration: guess.options.accelerationUnit?.text
        case .rotation: guess.options.rotationUnit?.text
        case .field: guess.options.fieldUnit?.rawValue
        case .time: guess.options.timeUnit?.rawValue
        case .angle, .none: nil
        }
      return value.map { "\(UntoldUnit.option(unit.dimension).name) \($0)" }
    }
    guard words.count == error.untold.count else { return error }
    let example = error.untold[0]
    let reasons = guess.reasons.isEmpty ? "" : " (\(guess.reasons.joined(separator: "; ")))"
    error.remedy =
      "the numbers suggest: inertial fuse \(path) \(words.joined(separator: " "))\(reasons); or write "
      + "the units into the header, as in \"\(example.column) \(UntoldUnit.option(example.dimension).example)\""
    return error
  }

  private struct Guess {
    var options: LogOptions
    var reasons: [String] = []
  }

  private static func guess(for dimensions: [Dimension], path: String, options: LogOptions) -> Guess? {
    var guess = Guess(options: options)
    var trial = options
    trial.auxiliary = []
    trial.calibration = nil
    if dimensions.contains(.acceleration) { trial.accelerationUnit = .g }
    if dimensions.contains(.rotation) { trial.rotationUnit = .radiansPerSecond }
    if dimensions.contains(.field) { trial.fieldUnit = .microtesla }
    if dimensions.contains(.time) { trial.timeUnit = .seconds }
    guard var samples = samples(path, trial), samples.count >= enough else { return nil }

    if dimensions.contains(.time) {
      guard let (unit, factor) = time(samples) else { return nil }
      guess.options.timeUnit = unit
      for index in samples.indices { samples[index].time *= factor }
    }
    func isSigned(_ channel: SensorChannel) -> Bool {
      samples.allSatisfy { $0.channel != channel || (-32_768...32_767).contains($0.vector.maximumMagnitude) }
    }
    let isUnsigned = !isSigned(.accelerometer) || !isSigned(.gyroscope)
    let areCounts = [SensorChannel.accelerometer, .gyroscope].allSatisfy { isWhole(samples, $0) }
    if isUnsigned, areCounts { unwrap(&samples) }
    if dimensions.contains(.acceleration) {
      let norms = samples.lazy.filter { $0.channel == .accelerometer }.map(\.vector.norm).sorted()
      guard let (unit, size, reason) = acceleration(norms, areCounts: areCounts) else { return nil }
      guess.options.accelerationUnit = unit
      guess.reasons.append(reason + (isUnsigned ? ", without their sign: those above 32767 are negative" : ""))
      scale(&samples, .accelerometer, by: 1 / size)
    }
    if dimensions.contains(.rotation) {
      let (unit, reason) = rotation(samples, areCounts: areCounts)
      guess.options.rotationUnit = unit
      guess.reasons.append(reason)
    }
    if dimensions.contains(.field) {
      let norms = samples.lazy.filter { $0.channel == .magnetometer || $0.channel == .calibratedMagneticField }
        .map(\.vector.norm).sorted()
      guess.options.fieldUnit = norms.isEmpty ? .microtesla : field(norms[norms.count / 2])
    }
    return guess
  }

  private static func samples(_ path: String, _ options: LogOptions) -> [SensorSample]? {
    guard var reader = try? openLog(path: path, options: options) else { return nil }
    var samples: [SensorSample] = []
    do throws(LogError) {
      while samples.count < most, try reader.read(into: &samples) {}
    } catch {
      if samples.count < enough { return nil }
    }
    return samples.filter { $0.time.isFinite && $0.vector.isFinite }
  }

  private static func time(_ samples: [SensorSample]) -> (LogOptions.TimeUnit, Double)? {
    let times = samples.lazy.filter { $0.channel == .accelerometer }.map(\.time)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return nil }
    let units: [(LogOptions.TimeUnit, Double)] = [
      (.seconds, 1), (.milliseconds, 1e-3), (.microseconds, 1e-6), (.nanoseconds, 1e-9),
    ]
    return units.first { rates.contains(1 / (steps[steps.count / 2] * $0.1)) }
  }

  private static func isWhole(_ samples: [SensorSample], _ channel: SensorChannel) -> Bool {
    samples.allSatisfy { sample in
      sample.channel != channel || [sample.x, sample.y, sample.z].allSatisfy { $0 == $0.rounded() }
    }
  }

  private static func unwrap(_ samples: inout [SensorSample]) {
    func signed(_ value: Double) -> Double {
      let magnitude = abs(value)
      return magnitude > 32_767 ? (magnitude - 65_536) * (value < 0 ? -1 : 1) : value
    }
    for index in samples.indices where samples[index].channel <= .accelerometer {
      let v = samples[index].vector
      (samples[index].x, samples[index].y, samples[index].z) = (signed(v.x), signed(v.y), signed(v.z))
    }
  }

  private static func scale(_ samples: inout [SensorSample], _ channel: SensorChannel, by factor: Double) {
    for index in samples.indices where samples[index].channel == channel {
      let v = factor * samples[index].vector
      (samples[index].x, samples[index].y, samples[index].z) = (v.x, v.y, v.z)
    }
  }

  /// The unit in which gravity is 1 g, its size in the log's numbers, and why.
  private static func acceleration(
    _ norms: [Double], areCounts: Bool
  ) -> (LogOptions.AccelerationUnit, Double, String)? {
    guard !norms.isEmpty else { return nil }
    let norm = norms[norms.count / 2]
    func found(_ text: String, _ size: Double, _ reason: String) -> (LogOptions.AccelerationUnit, Double, String)? {
      LogOptions.AccelerationUnit(text).map { ($0, size, reason) }
    }
    switch norm {
    case 0.8..<1.25: return found("g", 1, "gravity is \(rounded(norm))")
    case 8..<12: return found("m/s2", standardGravity, "gravity is \(rounded(norm))")
    case 850..<1012,
      850..<1180 where !areCounts:
      return found("mg", 1000, "gravity is \(rounded(norm)): thousandths of g")
    default: break
    }
    let sizes = [64.0, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384]
    guard areCounts, let size = sizes.first(where: { (0.8..<1.25).contains(norm / $0) }) else { return nil }
    return found("\(Int(size))/g", size, "gravity is \(rounded(norm)): raw counts of a register, \(Int(size)) a g")
  }

  /// The unit in which the rates turn the device as gravity does.
  private static func rotation(_ samples: [SensorSample], areCounts: Bool) -> (LogOptions.RotationUnit, String) {
    let perUnit: [Double] = areCounts ? [131, 65.5, 32.8, 16.4, 114.3, 57.1, 28.6, 14.3, 262.4] : []
    var candidates: [(unit: LogOptions.RotationUnit, factor: Double)] = [
      (.radiansPerSecond, 1), (.degreesPerSecond, .pi / 180),
    ]
    candidates += perUnit.compactMap { size in
      LogOptions.RotationUnit("\(size == size.rounded() ? "\(Int(size))" : "\(size)")/dps").map {
        ($0, .pi / 180 / size)
      }
    }
    var judged = candidates.map { candidate in
      var sketch = MotionSketch()
      var samples = samples
      scale(&samples, .gyroscope, by: candidate.factor)
      for sample in samples where sample.channel <= .accelerometer { sketch.add(sample) }
      sketch.finish()
      let test = TurnTest(sketch, stepsOfBlock: 25)
      return (
        candidate, misfit: test.pairCount > 0 ? test.fit(scale: 1).misfit : .infinity, rest: test.fitAtRest().misfit
      )
    }
    judged.sort { $0.misfit < $1.misfit }
    let (best, second) = (judged[0], judged[1])
    if best.misfit < second.misfit - 4, best.misfit < best.rest - 4 {
      return (best.0.unit, "gravity turns with the rates in \(best.0.unit.text)")
    }
    // No sensor on a person or a vehicle turns faster all the time, and counts are the most sensitive range's.
    let norms = samples.lazy.filter { $0.channel == .gyroscope }.map(\.vector.norm).sorted()
    let high = norms.isEmpty ? 0 : norms[norms.count * 19 / 20]
    let unit = areCounts ? candidates[2].unit : high > 8 ? .degreesPerSecond : .radiansPerSecond
    return (unit, "\(unit.text) is not certain: the device turns too little to tell")
  }

  private static func field(_ norm: Double) -> LogOptions.FieldUnit {
    switch norm {
    case 10_000..<200_000: .nanotesla
    case 0.15..<2: .gauss
    case 0.015..<0.15: .millitesla
    default: .microtesla
    }
  }
}
