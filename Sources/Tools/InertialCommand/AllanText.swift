import Inertial
import InertialCalibration
import InertialSystem

/// The output as CSV, and the human-readable output: the noise terms and the curve of each sensor.
extension AllanJob.Report {
  /// The deviations as CSV, with one row per point.
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

  func print(on page: Page = .standard) {
    for sensor in sensors {
      let missing =
        sensor.missingSamples > 0
        ? ", \(counted(sensor.missingSamples, "sample")) missing in \(counted(sensor.gaps, "gap"))" : ""
      page.line("\(sensor.sensor): \(fixed(sensor.duration, 0)) s at \(fixed(sensor.rate, 2)) Hz\(missing)\n")
      printTerms(sensor, on: page)
      printCurve(sensor, on: page)
      page.line("")
    }
    page.line("±: one standard deviation; <: the upper limit (95 %) of a term that is not observable.")
    page.line("The floor of the curve is 0.664 times the bias instability.")
  }

  private func printTerms(_ sensor: Sensor, on page: Page) {
    let axes = sensor.axes.filter { !$0.terms.isEmpty }
    guard let first = axes.first else { return page.line("no noise term can be estimated\n") }
    func row(_ name: String, _ unit: String, _ cells: [String]) {
      page.line(padded(name, 26), padded(unit, 16), cells.map { padded($0, 19) }.joined(separator: " "))
    }
    row("", "unit", axes.map(\.axis))
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
    page.line("")
  }

  /// Prints the Allan deviation, or the first requested deviation, at every fourth averaging time.
  private func printCurve(_ sensor: Sensor, on page: Page) {
    let kinds = StabilityDeviation.allCases
    guard let kind = kinds.first(where: { sensor.axes.first?.deviations[$0.rawValue] != nil }) else { return }
    let curves = sensor.axes.map { $0.deviations[kind.rawValue] ?? [] }
    guard let maximumCount = curves.map(\.count).max(), maximumCount > 0 else { return }
    page.line("\(kind.title), \(sensor.unit)")
    page.line(padded("time s", 12, left: true), sensor.axes.map { padded($0.axis, 27) }.joined(separator: " "))
    for index in stride(from: 0, to: maximumCount, by: 4) {
      let cells = curves.map { points -> String in
        guard index < points.count else { return padded("-", 27) }
        let point = points[index]
        return padded(
          "\(Self.number(point.deviation)) (\(Self.number(point.lower)) - \(Self.number(point.upper)))", 27)
      }
      let time = curves.first { index < $0.count }![index].time
      page.line(padded(Self.number(time), 12, left: true), cells.joined(separator: " "))
    }
  }

  private static func cell(_ value: Double?, _ sigma: Double?, _ below: Double?) -> String {
    if let value, let sigma { return "\(number(value)) ± \(String(cFormat: "%.1g", sigma))" }
    return below.map { "< \(number($0))" } ?? "unobservable"
  }

  private static func number(_ value: Double) -> String { String(cFormat: "%.3g", value) }
}
