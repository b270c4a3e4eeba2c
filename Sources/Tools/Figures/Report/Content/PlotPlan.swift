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
  /// The indices of the plots of measurements.
  private(set) var innovationPlots: [Int] = []

  /// Creates a plan.
  ///
  /// - Parameter ranges: The minimum and maximum of each column, or `nil` for a column without values.
  init(_ columns: [TraceTable.Column], ranges: [ClosedRange<Double>?]) {
    names = columns.map(\.name)
    units = columns.map(\.unit)
    isKnown = zip(names, ranges).map { name, range in
      guard let range else { return false }
      // A column with −1 only has no heading or accuracy.
      if ["heading", "magneticFieldAccuracy"].contains(name) { return range != -1...(-1) }
      // No steps were detected.
      return name != "stepCount" || range != 0...0
    }
    addMotion()
    addRecognised()
    addChannels()
    addInnovations()
  }

  /// Returns the indices of columns, or `nil` if one has no values to show.
  func places(_ wanted: [String]) -> [Int]? {
    let found = wanted.compactMap(index)
    return found.count == wanted.count ? found : nil
  }

  private func index(_ name: String) -> Int? { names.firstIndex(of: name).flatMap { isKnown[$0] ? $0 : nil } }

  private mutating func addMotion() {
    add(
      "Attitude", "°", [("roll", "roll"), ("pitch", "pitch"), ("yaw", "yaw")], factor: Self.degrees,
      turns: ["roll": 360, "yaw": 360], sigmas: ["roll": "rollSigma", "pitch": "pitchSigma", "yaw": "yawSigma"],
      note: "Roll is about the device's Y, pitch about X, yaw about Z. Bands are one standard deviation, as "
        + "reported by the filter. If pitch is near ±90°, roll and yaw cannot be distinguished.")
    add(
      "Heading", "°", [("heading", "heading")], turns: ["heading": 360], sigmas: ["heading": "attitudeSigmaZ"],
      sigmaFactor: Self.degrees, note: "Clockwise from the frame's north.")
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
      note: "−1 uncalibrated, 0 low, 1 medium, 2 high.")
    add("Gyroscope bias", "°/s", vector("gyroscopeBias", "xyz"), factor: Self.degrees, note: "The subtracted bias.")
    add(
      "Attitude uncertainty", "°", vector("attitudeSigma", "xyz"), factor: Self.degrees,
      note: "Standard deviation about the reference frame's axes; Z: heading.")
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
    add("Probability of a shake", "", [("shakeProbability", "shake")])
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
          add(
            Self.title(channel.name), unit == "1" ? "" : unit == "deg" ? "°" : unit, part.map { ($0.name, $0.name) },
            turns: Dictionary(uniqueKeysWithValues: turns), note: channel.meaning)
        }
      }
    }
  }

  private mutating func add(
    _ title: String, _ unit: String, _ columns: [(name: String, label: String)], factor: Double = 1,
    turns: [String: Double] = [:], sigmas: [String: String] = [:], sigmaFactor: Double? = nil, note: String = ""
  ) {
    let series = columns.compactMap { column -> Series? in
      guard let index = index(column.name) else { return nil }
      let sigma = sigmas[column.name].flatMap(self.index)
      return Series(
        table: 0, column: index, label: column.label, factor: factor, sigma: sigma,
        sigmaFactor: sigma == nil ? nil : sigmaFactor ?? factor, turn: turns[column.name])
    }
    if !series.isEmpty { plots.append(Plot(title: title, unit: unit, series: series, note: note)) }
  }

  private func vector(_ stem: String, _ axes: String) -> [(name: String, label: String)] {
    axes.map { (stem + $0.uppercased(), String($0)) }
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
