internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// The panels of a figure, from its gathered data.
struct PlotPanels {
  let job: PlotJob
  let material: PlotData
  /// The log's time that is 0 on the axis, in seconds.
  let origin: Double

  /// The time unit: seconds up to twenty minutes, minutes up to six hours, otherwise hours.
  private var time: (divisor: Double, unit: String) {
    let range = timeRange
    let span = range.upperBound - range.lowerBound
    return span <= 1200 ? (1, "s") : span <= 6 * 3600 ? (60, "min") : (3600, "h")
  }

  /// The displayed range of times on the axis, in seconds.
  private var timeRange: ClosedRange<Double> {
    let times =
      material.rows.map(\.times) + material.samples.values.map { $0.map(\.time) } + material.errors.map(\.times)
    let first = times.compactMap(\.first).min() ?? 0
    let last = times.compactMap(\.last).max() ?? 1
    let from = job.from ?? first - origin
    return from...max(job.to ?? last - origin, from)
  }

  func figure() throws(FusionError) -> Figure {
    var panels: [Figure.Panel] = []
    var others: [Figure.Panel] = []
    var maps: [Figure.Panel] = []
    let range = timeRange
    let paths = PathPanels(job: job, material: material, origin: origin, time: time, range: range)
    for quantity in job.quantities {
      switch quantity.content {
      case .columns(let columns): panels += self.panels(of: columns)
      case .channel(let channel, let fields):
        let found = self.panels(of: channel, fields)
        if found.isEmpty {
          throw .badData("\(job.input): the log has no values of \(quantity.name); see 'inertial inspect'")
        }
        panels += found
      case .path: maps += paths.maps
      case .pathHeight: panels += paths.heights
      case .error(let part): panels.append(errorPanel(part))
      case .errorDistribution: others.append(distributionPanel())
      case .accuracy: others.append(accuracyPanel())
      }
    }
    let (divisor, unit) = time
    let shades = material.shades.map { shade in
      Figure.Shade(
        shade.name, shade.spans.map { ($0.lowerBound - origin) / divisor...($0.upperBound - origin) / divisor },
        styleIndex: shade.styleIndex)
    }
    let marks = material.places.map { Figure.Marks($0.name, $0.places.map { ($0 - origin) / divisor }) }
    for index in panels.indices {
      panels[index].x = Figure.Axis("Time (\(unit))", range: range.lowerBound / divisor...range.upperBound / divisor)
      panels[index].shades = shades
      panels[index].marks = marks
    }
    let isShown =
      panels.allSatisfy { panel in
        panel.lines.contains { $0.x.contains { panel.x.range!.contains($0) } }
      } && maps.allSatisfy { !$0.lines.isEmpty }
    let isEmpty = job.to.map { $0 < range.lowerBound } ?? false
    let hasValues = panels.contains { panel in panel.lines.contains { !$0.x.isEmpty } }
    if !panels.isEmpty, !hasValues {
      throw .badData("\(job.input): there is no value for '\(panels[0].y.label)'; see 'inertial inspect'")
    }
    guard isShown, !isEmpty, !(maps.isEmpty && panels.isEmpty && others.isEmpty) else {
      throw .usage(
        "\(job.input): there is no sample between \(job.from ?? range.lowerBound) and \(job.to ?? range.upperBound) s; use "
          + "other times for --from and --to"
      )
    }
    for panel in panels where !panel.lines.contains(where: { $0.y.contains { $0.isFinite } }) {
      throw .badData(
        "\(job.input): there is no value for '\(panel.y.label)'; a heading needs --frame xMagneticNorthZVertical and a "
          + "calibrated field, a standard deviation a filter with a covariance, and an innovation a filter with that "
          + "measurement ('inertial filters', 'inertial help columns')")
    }
    var figure = Figure(maps + panels + others, style: job.style)
    figure.description =
      "\(job.quantities.map { PlotLabels.of($0.name) }.joined(separator: ", ")) of \(name(of: job.input))"
    return figure
  }

  private func name(of path: String) -> String {
    path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
  }

  private func panel(_ label: String) -> Figure.Panel { Figure.Panel(x: "", y: label) }

  // MARK: Rows

  /// Returns one panel with all columns, or one panel per column to compare several filters.
  private func panels(of columns: [FusedColumn]) -> [Figure.Panel] {
    let (common, own) = PlotLabels.split(columns.map(\.name))
    let unit = PlotUnit(columns[0].unit, isRadian: job.isRadian)
    if material.rows.count < 2 {
      let name = common.isEmpty ? "Attitude" : common
      var panel = panel(unit.label(name))
      panel.y.hasDegrees = unit.turn == 360
      if let rows = material.rows.first {
        panel.lines = zip(columns, own.isEmpty ? [""] : own).map { column, name in
          var line = line(column, of: rows, name, hasBand: job.sigma > 0)
          line.styleIndex = SeriesStyle.axis(of: column.name)
          return line
        }
      }
      return [panel]
    }
    return columns.map { column in
      var panel = panel(unit.label(PlotLabels.of(column.name)))
      panel.y.hasDegrees = unit.turn == 360
      panel.lines = material.rows.map { line(column, of: $0, $0.name, hasBand: job.sigma > 0) }
      return panel
    }
  }

  private func line(_ column: FusedColumn, of rows: PlotData.Rows, _ name: String, hasBand: Bool) -> Figure.Line {
    let unit = PlotUnit(column.unit, isRadian: job.isRadian)
    var values = rows.values[column.name] ?? []
    // A heading of −1 means no heading.
    if column.name == "heading" { values = values.map { $0 < 0 ? .nan : $0 } }
    values = values.map { $0 * unit.factor }
    if job.unwraps, let turn = unit.turn { values = values.unwrapped(turn: turn) }
    var times = rows.times
    if column.measurement != nil {
      // A row between two measurements has no value, and must not break the line.
      let places = values.indices.filter { !values[$0].isNaN }
      (times, values) = (places.map { times[$0] }, places.map { values[$0] })
    }
    var line = Figure.Line(name, x: times.map { ($0 - origin) / time.divisor }, y: values)
    line.maximumGap = gap(times)
    line.period = job.unwraps ? nil : period(of: column.name, unit)
    if hasBand, let sigma = PlotBands.sigma(of: column.name, rows) {
      let factor = job.sigma * PlotUnit("rad", isRadian: job.isRadian && column.unit == "rad").factor
      line.band = (
        lower: zip(values, sigma).map { $0 - $1 * factor }, upper: zip(values, sigma).map { $0 + $1 * factor }
      )
    }
    return line
  }

  /// Returns the period of an angle. A standard deviation is an angle without a period.
  private func period(of column: String, _ unit: PlotUnit) -> Double? {
    column.hasPrefix("attitudeSigma") ? nil : unit.turn
  }

  /// Returns the maximum gap that a line crosses, in units of the axis.
  private func gap(_ times: [Double]) -> Double { max(job.options.gap, 4 * times.medianStep) / time.divisor }

  // MARK: Channels

  /// Returns one panel for each unit.
  private func panels(of channel: AuxiliaryChannel, _ fields: [AuxiliaryField]) -> [Figure.Panel] {
    var units: [String] = []
    for field in fields where !units.contains(field.unit) { units.append(field.unit) }
    let samples = material.samples[channel] ?? []
    return units.compactMap { unit in
      let places = fields.filter { $0.unit == unit }.filter { field in
        let position = channel.fieldIndex(field.name)!
        return samples.contains { $0.values[position].isFinite }
      }
      guard !places.isEmpty else { return nil }
      let (common, own) = PlotLabels.split(places.map(\.name))
      let turned = PlotUnit(unit, isRadian: job.isRadian)
      var panel = panel(turned.label(common.isEmpty ? PlotLabels.of(channel.name) : common))
      panel.lines = zip(places, own.isEmpty ? [""] : own).map { field, name in
        let position = channel.fieldIndex(field.name)!
        // Fields of one channel may have different timestamps.
        let known = samples.filter { !$0.values[position].isNaN }
        var times = known.map(\.time)
        var values = known.map { $0.values[position] * turned.factor }
        if field.carriage == .previous {
          // A state holds until the next sample.
          (times, values) = (
            times.prefix(1) + times.dropFirst().flatMap { [$0, $0] }, values.flatMap { [$0, $0] }.dropLast()
          )
        }
        if job.unwraps, let turn = turned.turn { values = values.unwrapped(turn: turn) }
        var line = Figure.Line(name, x: times.map { ($0 - origin) / time.divisor }, y: values)
        line.maximumGap = gap(times)
        if field.carriage == .interpolatedAngle, !job.unwraps { line.period = turned.turn }
        return line
      }
      return panel
    }
  }

  // MARK: Errors

  private func errorPanel(_ part: PlotQuantity.ErrorPart) -> Figure.Panel {
    var panel = panel(part == .total ? "Error (°)" : "\(PlotLabels.of(part.rawValue)) error (°)")
    let parts: [PlotQuantity.ErrorPart] =
      material.errors.count == 1 && part == .total ? [.total, .heading, .inclination] : [part]
    for errors in material.errors {
      for part in parts {
        var line = Figure.Line(
          parts.count > 1 ? part.rawValue : errors.name, x: errors.times.map { ($0 - origin) / time.divisor },
          y: errors.parts[part] ?? [])
        line.maximumGap = gap(errors.times)
        panel.lines.append(line)
      }
    }
    return panel
  }

  private func distributionPanel() -> Figure.Panel {
    var panel = Figure.Panel(x: "Error (°)", y: "Fraction of samples")
    panel.y.range = 0...1
    panel.lines = material.errors.map { .cumulative($0.name, of: $0.parts[.total] ?? []) }
    panel.x.range = 0...max(panel.lines.compactMap(\.x.last).max() ?? 1, .leastNormalMagnitude)
    return panel
  }

  private func accuracyPanel() -> Figure.Panel {
    var panel = Figure.Panel(
      x: Figure.Axis("Cost (ns per sample)", isLogarithmic: true), y: Figure.Axis("RMS error (°)"))
    panel.points = [
      Figure.Points(
        "", x: material.costs.map(\.nanoseconds), y: material.costs.map(\.error), labels: material.costs.map(\.name))
    ]
    return panel
  }
}
