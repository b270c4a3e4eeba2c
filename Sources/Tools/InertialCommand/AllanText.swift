import Inertial
import InertialCalibration
import InertialSystem

/// The human-readable output: the noise terms and the curve of each sensor.
extension AllanJob.Report {
  func print(on page: Page = .standard) {
    for sensor in sensors {
      let missing =
        sensor.missingSamples > 0
        ? ", \(counted(sensor.missingSamples, "sample")) missing in \(counted(sensor.gaps, "gap"))" : ""
      page.line("\(sensor.name): \(fixed(sensor.duration, 0)) s at \(fixed(sensor.rate, 2)) Hz\(missing)\n")
      printTerms(sensor, on: page)
      printCurve(sensor, on: page)
      page.line("")
    }
    page.line("±: one standard deviation; <: the upper limit (95 %) of a term that is not observable.")
    page.line("The floor of the curve is 0.664 times the bias instability.")
  }

  private func printTerms(_ sensor: Sensor, on page: Page) {
    let axes = sensor.axes.filter { $0.noise != nil }
    let fits = axes.compactMap(\.noise)
    guard !fits.isEmpty else { return page.line("no noise term can be estimated\n") }
    func row(_ name: String, _ unit: String, _ cells: [String]) {
      page.line(padded(name, 26), padded(unit, 16), cells.map { padded($0, 19) }.joined(separator: " "))
    }
    row("", "unit", axes.map(\.name))
    let units = sensor.units
    for process in NoiseProcess.allCases {
      let terms = fits.map { $0[process] }
      row(units.title(process), units.unit(process).text, terms.map { Self.cell($0) })
      if let unit = units.customary(process) { row("", unit.text, terms.map { Self.cell($0, times: unit.perOwn) }) }
    }
    row("fitted", "s", fits.map { "\(significant($0.shortestTime, 3)) to \(significant($0.longestTime, 3))" })
    row("χ² / degree of freedom", "", fits.map { significant($0.misfit, 3) })
    row(
      "smallest deviation", units.value.text,
      axes.map { "\(significant($0.smallest?.deviation ?? 0, 3)) at \(significant($0.smallest?.time ?? 0, 3)) s" })
    page.line("")
  }

  /// Prints the Allan deviation, or the first requested deviation, at every fourth averaging time.
  private func printCurve(_ sensor: Sensor, on page: Page) {
    let kinds = StabilityDeviation.allCases
    guard let kind = kinds.first(where: { sensor.axes.first?.points(of: $0) != nil }) else { return }
    let curves = sensor.axes.map { $0.points(of: kind) ?? [] }
    guard let maximumCount = curves.map(\.count).max(), maximumCount > 0 else { return }
    page.line("\(kind.title), \(sensor.units.value.text)")
    page.line(right("time s", 12), sensor.axes.map { padded($0.name, 27) }.joined(separator: " "))
    for index in stride(from: 0, to: maximumCount, by: 4) {
      let cells = curves.map { points -> String in
        guard index < points.count else { return padded("-", 27) }
        let point = points[index]
        let (lower, upper) = (significant(point.lower, 3), significant(point.upper, 3))
        return padded("\(significant(point.deviation, 3)) (\(lower) - \(upper))", 27)
      }
      let time = curves.first { index < $0.count }![index].time
      page.line(right(significant(time, 3), 12), cells.joined(separator: " "))
    }
  }

  private static func cell(_ term: NoiseFit.TermEstimate, times factor: Double = 1) -> String {
    if let value = term.value, let sigma = term.sigma {
      return "\(significant(factor * value, 3)) ± \(significant(factor * sigma, 1))"
    }
    return term.upperLimit.map { "< \(significant(factor * $0, 3))" } ?? "unobservable"
  }
}
