internal import InertialJobs
internal import InertialSensors

/// The grouping of the fusion's columns into plots, with their labels and units.
struct PlotPlan {
  typealias Plot = RecordingContent.Plot
  typealias Series = RecordingContent.Series

  private static let degrees = 180 / Double.pi

  private let names: [String]
  private let units: [String]
  /// Whether a column has values to show.
  private let isKnown: [Bool]
  private(set) var plots: [Plot] = []
  /// The indices of the plots of the first screen: the size of the acceleration, and the heading or else yaw.
  private(set) var overviewPlots: [Int] = []
  /// The indices of the plots of the sensors' values.
  private(set) var measuredPlots: [Int] = []
  /// The indices of the plots of measurements.
  private(set) var innovationPlots: [Int] = []

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - ranges: The minimum and maximum of each column, or `nil` for a column without values.
  ///   - earthField: The strength of the Earth's field at the place in µT, or `nil` if it is unknown.
  init(_ columns: [TraceTable.Column], ranges: [ClosedRange<Double>?], earthField: Double? = nil) {
    names = columns.map(\.name)
    units = columns.map(\.unit)
    isKnown = zip(names, ranges).map { name, range in
      guard let range else { return false }
      // A column with −1 only has no heading or accuracy.
      if ["heading", "magneticFieldAccuracy"].contains(name) { return range != -1...(-1) }
      // No steps were detected.
      return name != "stepCount" || range != 0...0
    }
    addOverview()
    addMotion()
    addRecognised()
    addChannels()
    addMeasured(earthField)
    addInnovations()
  }

  /// Returns the indices of columns, or `nil` if one has no values to show.
  func places(_ wanted: [String]) -> [Int]? {
    let found = wanted.compactMap(index)
    return found.count == wanted.count ? found : nil
  }

  private func index(_ name: String) -> Int? { names.firstIndex(of: name).flatMap { isKnown[$0] ? $0 : nil } }

  private mutating func addOverview() {
    add("Size of the acceleration", "g", [(RowCollector.accelerationSize, "acceleration")])
    if index("heading") != nil {
      addHeading()
    } else {
      add(
        "Yaw, from an arbitrary direction", "°", [("yaw", "yaw")], factor: Self.degrees, turns: ["yaw": 360],
        sigmas: ["yaw": "yawSigma"], range: Self.signedAngles)
    }
    overviewPlots = Array(plots.indices)
  }

  private mutating func addHeading() {
    add(
      "Heading", "°", [("heading", "heading")], turns: ["heading": 360], sigmas: ["heading": "attitudeSigmaZ"],
      sigmaFactor: Self.degrees, range: Self.positiveAngles,
      note: "Clockwise from the frame's north; hatched where its standard deviation exceeds 90°.")
  }

  private mutating func addMotion() {
    add(
      "Attitude", "°", [("roll", "roll"), ("pitch", "pitch"), ("yaw", "yaw")], factor: Self.degrees,
      turns: ["roll": 360, "yaw": 360], sigmas: ["roll": "rollSigma", "pitch": "pitchSigma", "yaw": "yawSigma"],
      range: Self.signedAngles,
      note: "Roll is about the device's Y, pitch about X, yaw about Z. Bands are one standard deviation, as "
        + "reported by the filter; an angle with more than 90° is hatched, as it is unknown. If pitch is near ±90°, roll and "
        + "yaw cannot be distinguished.")
    add("Quaternion", "", vector("quaternion", "xyzw"), note: "Device to reference frame.")
    add("Gravity", "g", vector("gravity", "xyz"), note: "Device axes, a unit vector: face up is 0, 0, −1.")
    add(
      "User acceleration", "g", vector("userAcceleration", "xyz"),
      note: "Device axes, without gravity; acceleration toward +X is negative.")
    add(
      "Rotation rate", "°/s", vector("rotationRate", "xyz"), factor: Self.degrees,
      note: "Device axes, without the gyroscope's bias.")
    add(
      "Magnetic field", "µT", vector("magneticField", "xyz"), note: "Device axes, without the hard-iron bias.")
    add(
      "Field calibration", "", [("magneticFieldAccuracy", "accuracy")],
      words: Self.words(in: "-1 uncalibrated, 0 low, 1 medium, 2 high"), note: "The accuracy of the calibration.")
    add("Gyroscope bias", "°/s", vector("gyroscopeBias", "xyz"), factor: Self.degrees, note: "The subtracted bias.")
    add(
      "Attitude uncertainty", "°", vector("attitudeSigma", "xyz"), factor: Self.degrees,
      range: [0, 90],
      note: "Standard deviation about the reference frame's axes; Z: heading. Above 90° the angle is unknown.")
  }

  /// Adds the sensors' values, which the page computes from the fused ones. They are exact: Core Motion's user
  /// acceleration is the measured one without gravity, and its rotation rate the measured one without the bias.
  private mutating func addMeasured(_ earthField: Double?) {
    let count = plots.count
    add("Measured acceleration", "g", sum: ("gravity", "userAcceleration"), note: "Device axes, with gravity.")
    add(
      "Measured rotation rate", "°/s", sum: ("rotationRate", "gyroscopeBias"), factor: Self.degrees,
      note: "Device axes, with the gyroscope's bias.")
    if let field = places(["magneticFieldX", "magneticFieldY", "magneticFieldZ"]) {
      plots.append(
        Plot(
          title: "Size of the magnetic field", unit: "µT",
          series: [Self.series("field", "norm", field, look: SeriesStyle.neutral)],
          level: earthField.map { .init(value: $0, text: "the Earth's at the place") },
          note: "Without the hard-iron bias. The Earth's is 22 to 67 µT, and constant at a place."))
    }
    plots.append(
      Plot(
        title: "Sample interval", unit: "ms",
        series: [Self.series("interval", "interval", [0], look: SeriesStyle.neutral)],
        note: "The time since the previous row."))
    measuredPlots = Array(count..<plots.count)
  }

  private static func series(
    _ label: String, _ rule: String, _ parts: [Int], factor: Double = 1, look: Int
  ) -> Series {
    Series(table: 0, column: parts[0], label: label, factor: factor, look: look, rule: rule, parts: parts)
  }

  /// Adds a plot of the sum of two vectors.
  private mutating func add(
    _ title: String, _ unit: String, sum: (String, String), factor: Double = 1, note: String
  ) {
    let axes = ["X", "Y", "Z"]
    let parts = axes.compactMap { places([sum.0 + $0, sum.1 + $0]) }
    guard parts.count == axes.count else { return }
    let series = zip(axes, parts).enumerated().map { look, axis in
      Self.series(axis.0.lowercased(), "sum", axis.1, factor: factor, look: look)
    }
    plots.append(Plot(title: title, unit: unit, series: series, hasSpectrum: true, note: note))
  }

  private mutating func addRecognised() {
    add(
      "Altitude", "m", [("filteredAltitude", "altitude")], sigmas: ["filteredAltitude": "filteredAltitudeSigma"],
      note: "Above the first sample, from barometer and motion.")
    add(
      "Vertical speed", "m/s", [("verticalSpeed", "vertical speed")], sigmas: ["verticalSpeed": "verticalSpeedSigma"],
      note: "Positive upward.")
    add("Steps", "", [("stepCount", "steps")], note: "Since the start.")
    add("Cadence", "1/s", [("stepCadence", "cadence")], note: "Steps per second.")
    add("Probability of a shake", "", [("shakeProbability", "shake")], range: [0, 1], showsRange: true)
  }

  /// Adds two plots with at most four lines: measurements that correct the attitude, and those at rest.
  private mutating func addInnovations() {
    let groups: [(String, [MeasurementKind])] = [
      ("Test ratios of gravity, field and velocity", [.gravity, .velocity, .magneticField, .heading]),
      ("Test ratios of rest", [.restRate]),
    ]
    for (title, kinds) in groups {
      let count = plots.count
      add(
        title, "", kinds.map { ("\($0.rawValue)TestRatio", Self.title($0.rawValue).lowercased()) },
        note:
          "The normalised innovation squared, divided by its gate; values above 1 are outliers. Each value holds until "
          + "the next, for at most one second; values above \(Int(RowCollector.largestRatio)) are drawn at that limit.")
      innovationPlots += count..<plots.count
    }
    for kind in groups.flatMap(\.1) {
      let count = plots.count
      let names = kind.innovationNames
      let isAngle = kind.unit.hasPrefix("rad")
      add(
        "Innovation: \(Self.title(kind.rawValue).lowercased())", isAngle ? "°" + kind.unit.dropFirst(3) : kind.unit,
        names.map { ($0.innovation, names.count == 1 ? "innovation" : $0.innovation.suffix(1).lowercased()) },
        factor: isAngle ? Self.degrees : 1,
        sigmas: Dictionary(uniqueKeysWithValues: names.map { ($0.innovation, $0.sigma) }),
        sigmaFactor: 3 * (isAngle ? Self.degrees : 1),
        note:
          "The measured value minus the predicted one. Band: three standard deviations, as predicted by the filter; "
          + "0 is outside of it for 0.3 % of the measurements of a consistent filter.")
      innovationPlots += count..<plots.count
    }
  }

  /// Adds the log's other channels, one plot per channel and unit.
  private mutating func addChannels() {
    for channel in AuxiliaryChannel.allCases where !channel.isEvent {
      var units: [String] = []
      for field in channel.fields where index(field.name) != nil && !units.contains(field.unit) {
        units.append(field.unit)
      }
      for unit in units {
        // More lines than there are colours are split into several plots.
        let fields = channel.fields.filter { $0.unit == unit && index($0.name) != nil }
        for start in stride(from: 0, to: fields.count, by: 4) {
          let part = fields[start..<min(start + 4, fields.count)]
          let turns = part.filter { $0.unit == "deg" && $0.carriage == .interpolatedAngle }.map { ($0.name, 360.0) }
          let words = part.map { Self.words(in: $0.meaning) }
          let isFraction = part.allSatisfy { $0.unit == "1" && $0.range == 0...1 }
          add(
            Self.title(channel.name), unit == "1" ? "" : unit == "deg" ? "°" : unit, part.map { ($0.name, $0.name) },
            turns: Dictionary(uniqueKeysWithValues: turns),
            range: isFraction
              ? [0, 1]
              : turns.count < part.count || turns.isEmpty
                ? nil
                : part.contains { $0.range.lowerBound < 0 } ? Self.signedAngles : Self.positiveAngles,
            showsRange: isFraction ? true : nil,
            words: words.contains { $0 != words[0] } ? nil : words[0], note: channel.meaning)
        }
      }
    }
  }

  private mutating func add(
    _ title: String, _ unit: String, _ columns: [(name: String, label: String)], factor: Double = 1,
    turns: [String: Double] = [:], sigmas: [String: String] = [:], sigmaFactor: Double? = nil, range: [Double]? = nil,
    showsRange: Bool? = nil, words: [RecordingContent.Word]? = nil, note: String = ""
  ) {
    let series = columns.enumerated().compactMap { place, column -> Series? in
      guard let index = index(column.name) else { return nil }
      let sigma = sigmas[column.name].flatMap(self.index)
      let look = SeriesStyle.axis(of: column.name) ?? SeriesStyle.neutral + place
      return Series(
        table: 0, column: index, label: column.label, factor: factor, sigma: sigma,
        sigmaFactor: sigma == nil ? nil : sigmaFactor ?? factor,
        look: look == place ? nil : look,
        turn: turns[column.name])
    }
    if !series.isEmpty {
      plots.append(
        Plot(title: title, unit: unit, series: series, range: range, showsRange: showsRange, words: words, note: note))
    }
  }

  private func vector(_ stem: String, _ axes: String) -> [(name: String, label: String)] {
    axes.map { (stem + $0.uppercased(), String($0)) }
  }

  private static let signedAngles = [-180.0, 180]
  private static let positiveAngles = [0.0, 360]

  /// Returns the words of an enumeration's meaning, such as "0 low, 1 medium, 2 high", or `nil` for another meaning.
  static func words(in meaning: String) -> [RecordingContent.Word]? {
    let words = meaning.split(separator: ",").map { part -> RecordingContent.Word? in
      let pair = part.drop { $0 == " " }.split(separator: " ", maxSplits: 1)
      guard pair.count == 2, let value = Int(pair[0]) else { return nil }
      return .init(value: value, text: String(pair[1]))
    }
    return words.count > 1 && !words.contains(nil) ? words.compactMap(\.self).sorted { $0.value < $1.value } : nil
  }

  /// Returns "absoluteAltitude" as "Absolute altitude".
  static func title(_ name: String) -> String {
    var title = ""
    for letter in name {
      if title.isEmpty {
        title += letter.uppercased()
      } else if letter.isUppercase {
        title += " " + letter.lowercased()
      } else {
        title.append(letter)
      }
    }
    return title
  }
}
