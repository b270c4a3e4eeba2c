internal import InertialNumerics
internal import InertialSensors

/// The units of a log that does not specify them, from its numbers: gravity is 1 g at rest, and rotates in the device
/// according to the gyroscope.
extension LogGuess {
  /// The maximum and the minimum number of samples that are read.
  static let (maximumSampleCount, enough) = (200_000, 200)
  /// The rates of sensors that measure motion, in Hz.
  private static let rates = 4.0...2500.0
  /// The misfit margins over all alternatives for a likely and for a certain interpretation: odds of 7 and 400 to 1.
  static let (clear, sure) = (4.0, 12.0)

  /// Returns the units of all columns without a unit, or no units if one of them is undetermined.
  func units(_ units: [UnspecifiedUnit]) throws(Undetermined) -> [Part] {
    let dimensions = units.map(\.dimension)
    var trial = options
    trial.auxiliary = []
    trial.calibration = nil
    if dimensions.contains(.acceleration) { trial.accelerationUnit = .g }
    if dimensions.contains(.rotation) { trial.rotationUnit = .radiansPerSecond }
    if dimensions.contains(.field) { trial.fieldUnit = .microtesla }
    if dimensions.contains(.time) { trial.timeUnit = .seconds }
    guard !dimensions.contains(where: { $0 == .angle || $0 == .none }) else {
      throw Undetermined("no test determines the unit of an angle")
    }
    guard var samples = Self.samples(path, trial), samples.count >= Self.enough else {
      throw Undetermined("the log has fewer than \(Self.enough) samples")
    }

    var parts: [Part] = []
    if dimensions.contains(.time) {
      guard let (part, factor) = Self.time(samples) else {
        throw Undetermined("the times have no usual rate in any unit")
      }
      parts.append(part)
      for index in samples.indices { samples[index].time *= factor }
    }
    func isSigned(_ channel: SensorChannel) -> Bool {
      samples.allSatisfy { $0.channel != channel || (-32_768...32_767).contains($0.vector.maximumMagnitude) }
    }
    let isUnsigned = !isSigned(.accelerometer) || !isSigned(.gyroscope)
    let areCounts = [SensorChannel.accelerometer, .gyroscope].allSatisfy { Self.isWhole(samples, $0) }
    if isUnsigned, areCounts { Self.unwrap(&samples) }
    if dimensions.contains(.acceleration) {
      let norms = samples.lazy.filter { $0.channel == .accelerometer }.map(\.vector.norm).sorted()
      guard let (found, size) = Self.acceleration(norms, areCounts: areCounts) else {
        throw Undetermined("the acceleration does not match gravity in any usual unit")
      }
      var part = found
      if isUnsigned { part.test += ", without their sign: those above 32767 are negative" }
      parts.append(part)
      Self.scale(&samples, .accelerometer, by: 1 / size)
      var lasting = LastingAcceleration()
      for sample in samples where sample.channel == .accelerometer { lasting.add(sample.vector, at: sample.time) }
      guard lasting.norm >= LastingAcceleration.minimumGravity else {
        throw Undetermined("gravity appears to be removed from the acceleration, which fusing needs")
      }
    }
    if dimensions.contains(.rotation) { parts.append(Self.rotation(samples, areCounts: areCounts)) }
    if dimensions.contains(.field) {
      let norms = samples.lazy.filter { $0.channel == .magnetometer || $0.channel == .calibratedMagneticField }
        .map(\.vector.norm).sorted()
      parts.append(Self.field(norms.isEmpty ? .nan : norms[norms.count / 2]))
    }
    return parts
  }

  static func samples(_ path: String, _ options: LogOptions) -> [SensorSample]? {
    guard var reader = try? openUnguessed(path: path, options: options) else { return nil }
    var samples: [SensorSample] = []
    do throws(LogError) {
      while samples.count < maximumSampleCount, try reader.read(into: &samples) {}
    } catch {
      if samples.count < enough { return nil }
    }
    return samples.filter { $0.time.isFinite && $0.vector.isFinite }
  }

  private static func time(_ samples: [SensorSample]) -> (Part, Double)? {
    let times = samples.lazy.filter { $0.channel == .accelerometer }.map(\.time)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? nil : time(step: steps[steps.count / 2])
  }

  /// Returns the unit in which an interval between rows is plausible for a sensor, and its size in seconds.
  static func time(step: Double) -> (Part, Double)? {
    let units: [(LogOptions.TimeUnit, Double)] = [
      (.seconds, 1), (.milliseconds, 1e-3), (.microseconds, 1e-6), (.nanoseconds, 1e-9),
    ]
    guard let (unit, factor) = units.first(where: { rates.contains(1 / (step * $0.1)) }) else { return nil }
    let part = Part(
      answer: .timeUnit(unit), certainty: .likely,
      test: "the rows are \(rounded(step)) apart, \(rounded(1 / (step * factor))) per second in \(unit.rawValue)")
    return (part, factor)
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

  /// Returns the unit in which gravity is 1 g, and its size in the log's numbers.
  private static func acceleration(_ norms: [Double], areCounts: Bool) -> (Part, Double)? {
    guard !norms.isEmpty else { return nil }
    let norm = norms[norms.count / 2]
    guard let size = gravity(norm, areCounts: areCounts) else { return nil }
    let (text, remark) =
      switch size {
      case 1: ("g", "")
      case standardGravity: ("m/s2", "")
      case 1000: ("mg", ": thousandths of g")
      default: ("\(Int(size))/g", ": raw counts of a register, \(Int(size)) per g")
      }
    return LogOptions.AccelerationUnit(text).map {
      (Part(answer: .accelerationUnit($0), certainty: .certain, test: "gravity is \(rounded(norm))\(remark)"), size)
    }
  }

  /// Returns 1 g in the unit in which a magnitude matches gravity, or `nil` if it matches in no unit.
  static func gravity(_ norm: Double, areCounts: Bool) -> Double? {
    switch norm {
    case 0.8..<1.25: return 1
    case 8..<12: return standardGravity
    case 850..<1012,
      850..<1180 where !areCounts:
      return 1000
    default: break
    }
    let sizes = [64.0, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384]
    return areCounts ? sizes.first { (0.8..<1.25).contains(norm / $0) } : nil
  }

  /// The maximum rate, in rad/s. No gyroscope measures rates above 4000 degrees per second.
  static let fastestRate = 70.0

  /// Returns the decrease in misfit from no rotation to the rates, with the given axes, or with other axes or signs.
  /// The latter are determined later and are rare: odds of 400 to 1.
  static func gain(_ test: GravityRotationTest) -> Double {
    guard test.pairCount > 0 else { return 0 }
    let fits = test.fitsOfAxes().map { $0.misfit + ($0.axes == .identity ? 0 : sure) }
    return test.fitAtRest().misfit - (fits.min() ?? .infinity)
  }

  /// Returns the units of rates and their sizes, in rad/s.
  static func rotationUnits(areCounts: Bool) -> [(unit: LogOptions.RotationUnit, factor: Double)] {
    let perUnit: [Double] = areCounts ? [131, 65.5, 32.8, 16.4, 114.3, 57.1, 28.6, 14.3, 262.4] : []
    return [(.radiansPerSecond, 1), (.degreesPerSecond, .pi / 180)]
      + perUnit.compactMap { size in
        LogOptions.RotationUnit("\(size == size.rounded() ? "\(Int(size))" : "\(size)")/dps").map {
          ($0, .pi / 180 / size)
        }
      }
  }

  /// Returns the unit in which the rates match the rotation of gravity.
  private static func rotation(_ samples: [SensorSample], areCounts: Bool) -> Part {
    let norms = samples.lazy.filter { $0.channel == .gyroscope }.map(\.vector.norm).sorted()
    let high = norms.isEmpty ? 0 : norms[norms.count * 19 / 20]
    let candidates = rotationUnits(areCounts: areCounts).filter { $0.factor * high < fastestRate }
    let judged = candidates.map { candidate in
      var samples = samples.filter { $0.channel <= .accelerometer }
      scale(&samples, .gyroscope, by: candidate.factor)
      return (unit: candidate.unit, gain: gain(GravityRotationTest(short: samples)))
    }.sorted { $0.gain > $1.gain }
    if let best = judged.first {
      let margin = best.gain - max(0, judged.dropFirst().first?.gain ?? 0)
      if margin > clear {
        return Part(
          answer: .rotationUnit(best.unit), certainty: margin > sure ? .certain : .likely,
          test: "gravity turns with the rates in \(best.unit.text)")
      }
    }
    // No sensor on a person or a vehicle rotates faster permanently. Counts are assumed to have the most sensitive
    // range.
    let unit = areCounts ? rotationUnits(areCounts: true)[2].unit : high > 8 ? .degreesPerSecond : .radiansPerSecond
    return Part(
      answer: .rotationUnit(unit), certainty: .open,
      test: "\(unit.text) is not certain: the device turns too little")
  }

  private static func field(_ norm: Double) -> Part {
    let unit: LogOptions.FieldUnit =
      switch norm {
      case 10_000..<200_000: .nanotesla
      case 0.15..<2: .gauss
      case 0.015..<0.15: .millitesla
      default: .microtesla
      }
    let strength = Dimension.field.conversion(from: unit.rawValue)?(norm) ?? .nan
    let isEarth = (10.0...200).contains(strength)
    return Part(
      answer: .fieldUnit(unit), certainty: isEarth ? .likely : .open,
      test: norm.isNaN
        ? "the log's field has no values"
        : "the field is \(rounded(norm))\(isEarth ? "" : ", which does not match the earth's in any unit")")
  }
}
