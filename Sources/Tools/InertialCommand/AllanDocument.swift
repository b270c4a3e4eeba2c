import Inertial
import InertialCalibration
import InertialSystem

/// The output of `inertial allan`.
struct AllanDocument: Encodable {
  /// An averaging time of a deviation.
  struct Point: Encodable {
    /// The averaging time in seconds.
    var time: Double
    /// The deviation, with its lower and upper bound, in the sensor's unit.
    var deviation: Double
    var lower: Double
    var upper: Double
    var degreesOfFreedom: Double
    /// The type of noise.
    var noise: String

    init(_ point: StabilityCurve.Point) {
      (time, deviation, lower, upper) = (point.time, point.deviation, point.lower, point.upper)
      (degreesOfFreedom, noise) = (point.degreesOfFreedom, point.noise.title)
    }
  }

  /// A noise term of an axis, in SI units and in customary units.
  struct Term: Encodable {
    var name: String
    var unit: String
    var value: Double?
    var sigma: Double?
    /// The upper limit at 95 % confidence, if the term is not observable.
    var below: Double?
    var customaryUnit: String?
    var customaryValue: Double?
    var customarySigma: Double?
    var customaryBelow: Double?

    init(_ process: NoiseProcess, _ finding: NoiseFit.TermEstimate, _ units: NoiseUnits) {
      name = units.title(process)
      unit = units.unit(process).text
      (value, sigma, below) = (finding.value, finding.sigma, finding.upperLimit)
      guard let other = units.customary(process) else { return }
      customaryUnit = other.text
      customaryValue = value.map { $0 * other.perOwn }
      customarySigma = sigma.map { $0 * other.perOwn }
      customaryBelow = below.map { $0 * other.perOwn }
    }
  }

  struct Axis: Encodable {
    var axis: String
    /// The terms in the order of IEEE Std 952; empty if the axis has no information.
    var terms: [Term]
    /// The range of the averaging times that the terms describe, in seconds.
    var fittedFrom: Double?
    var fittedTo: Double?
    var chiSquarePerDegreeOfFreedom: Double?
    /// The minimum of the Allan deviation and its averaging time. It is only the bias instability if the curve does not
    /// decrease further.
    var smallestDeviation: Double?
    var smallestAt: Double?
    /// The points by name of the deviation.
    var deviations: [String: [Point]]
  }

  struct Sensor: Encodable {
    var sensor: String
    var unit: String
    var rate: Double
    var duration: Double
    var missingSamples: Int
    var gaps: Int
    /// The number of outliers, which are excluded.
    var outlyingSamples: Int
    var axes: [Axis]
  }

  var input: String
  var format: String
  /// Whether the device is at rest in the analysed data; otherwise the figures describe motion.
  var isAtRest: Bool
  var sensors: [Sensor]
  var warnings: [String]

  init(_ report: AllanJob.Report) {
    (input, format) = (report.log.description.path, report.log.description.format)
    isAtRest = report.isAtRest
    warnings = report.log.warnings + report.notes
    sensors = report.sensors.compactMap { sensor in
      NoiseUnits(sensor.channel).map { units in
        Sensor(
          sensor: sensor.channel.name, unit: units.value.text, rate: sensor.rate, duration: sensor.duration,
          missingSamples: sensor.missing, gaps: sensor.gaps, outlyingSamples: sensor.outlying,
          axes: sensor.axes.map { Self.axis($0, units) })
      }
    }
  }

  private static func axis(_ axis: AllanJob.Axis, _ units: NoiseUnits) -> Axis {
    let allan = axis.curves.first { $0.kind == .allan }?.minimum
    return Axis(
      axis: axis.name,
      terms: axis.noise.map { noise in NoiseProcess.allCases.map { Term($0, noise[$0], units) } } ?? [],
      fittedFrom: axis.noise?.shortestTime, fittedTo: axis.noise?.longestTime,
      chiSquarePerDegreeOfFreedom: axis.noise?.misfit, smallestDeviation: allan?.deviation, smallestAt: allan?.time,
      deviations: Dictionary(uniqueKeysWithValues: axis.curves.map { ($0.kind.rawValue, $0.points.map(Point.init)) }))
  }

  /// The document as CSV, with one row per point.
  var csv: String {
    var text = "sensor,axis,deviation,unit,time,value,lower,upper,degreesOfFreedom,noise\n"
    for sensor in sensors {
      for axis in sensor.axes {
        for kind in StabilityDeviation.allCases.map(\.rawValue) {
          for point in axis.deviations[kind] ?? [] {
            text +=
              "\(sensor.sensor),\(axis.axis),\(kind),\(sensor.unit),\(point.time),\(point.deviation),\(point.lower),"
              + "\(point.upper),\(point.degreesOfFreedom),\(point.noise)\n"
          }
        }
      }
    }
    return text
  }

  func print() {
    for sensor in sensors {
      let missing =
        sensor.missingSamples > 0
        ? ", \(counted(sensor.missingSamples, "sample")) missing in \(counted(sensor.gaps, "gap"))" : ""
      Page.standard.line(
        "\(sensor.sensor): \(fixed(sensor.duration, 0)) s at \(fixed(sensor.rate, 2)) Hz\(missing)\n")
      printTerms(sensor)
      printCurve(sensor)
      Page.standard.line("")
    }
    Page.standard.line("±: one standard deviation; <: the upper limit (95 %) of a term that is not observable.")
    Page.standard.line("The floor of the curve is 0.664 times the bias instability.")
  }

  private func printTerms(_ sensor: Sensor) {
    let axes = sensor.axes.filter { !$0.terms.isEmpty }
    guard let first = axes.first else { return Page.standard.line("no noise term can be estimated\n") }
    Page.standard.line(padded("", 26), padded("unit", 16), axes.map { padded($0.axis, 19) }.joined(separator: " "))
    for index in first.terms.indices {
      let terms = axes.map { $0.terms[index] }
      row(terms[0].name, terms[0].unit, terms.map { Self.cell($0.value, $0.sigma, $0.below) })
      if let unit = terms[0].customaryUnit {
        row("", unit, terms.map { Self.cell($0.customaryValue, $0.customarySigma, $0.customaryBelow) })
      }
    }
    row("fitted", "s", axes.map { "\(Self.number($0.fittedFrom ?? 0)) to \(Self.number($0.fittedTo ?? 0))" })
    row("χ² / degree of freedom", "", axes.map { Self.number($0.chiSquarePerDegreeOfFreedom ?? 0) })
    row(
      "smallest deviation", sensor.unit,
      axes.map { "\(Self.number($0.smallestDeviation ?? 0)) at \(Self.number($0.smallestAt ?? 0)) s" })
    Page.standard.line("")
  }

  private func row(_ name: String, _ unit: String, _ cells: [String]) {
    Page.standard.line(padded(name, 26), padded(unit, 16), cells.map { padded($0, 19) }.joined(separator: " "))
  }

  /// Prints the Allan deviation, or the first requested deviation, at every fourth averaging time.
  private func printCurve(_ sensor: Sensor) {
    let kinds = StabilityDeviation.allCases
    guard let kind = kinds.first(where: { sensor.axes.first?.deviations[$0.rawValue] != nil }) else { return }
    let curves = sensor.axes.map { $0.deviations[kind.rawValue] ?? [] }
    guard let maximumCount = curves.map(\.count).max(), maximumCount > 0 else { return }
    Page.standard.line("\(kind.title), \(sensor.unit)")
    Page.standard.line(padded("time s", 12, left: true), sensor.axes.map { padded($0.axis, 27) }.joined(separator: " "))
    for index in stride(from: 0, to: maximumCount, by: 4) {
      let cells = curves.map { points -> String in
        guard index < points.count else { return padded("-", 27) }
        let point = points[index]
        return padded(
          "\(Self.number(point.deviation)) (\(Self.number(point.lower)) - \(Self.number(point.upper)))", 27)
      }
      let time = curves.first { index < $0.count }![index].time
      Page.standard.line(padded(Self.number(time), 12, left: true), cells.joined(separator: " "))
    }
  }

  private static func cell(_ value: Double?, _ sigma: Double?, _ below: Double?) -> String {
    if let value, let sigma { return "\(number(value)) ± \(String(cFormat: "%.1g", sigma))" }
    return below.map { "< \(number($0))" } ?? "unobservable"
  }

  private static func number(_ value: Double) -> String { String(cFormat: "%.3g", value) }
}
