internal import InertialFusion
internal import InertialJobs
internal import InertialNavigation
internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The panels of a path in plan view and of its height over time.
struct PathPanels {
  let job: PlotJob
  let material: PlotData
  /// The log's time that is 0 on the axis, in seconds.
  let origin: Double
  /// The seconds per unit of the time axis, and the name of the unit.
  let time: (divisor: Double, unit: String)
  /// The displayed range of times on the axis, in seconds.
  let range: ClosedRange<Double>

  /// The colours, as indices in `SeriesStyle`: grey for confidence regions and fixes, black for the end's ellipse and for
  /// dots.
  private enum Looks {
    static let likely = 6
    static let end = 2
    static let dots = 2
    static let fixes = 6
  }

  /// The rows of each filter with their plot data.
  private var plots: [(rows: PlotData.Rows, plotData: PathPlotData)] {
    material.rows.map { ($0, plotData(of: $0)) }
  }

  private func plotData(of rows: PlotData.Rows) -> PathPlotData {
    let times = rows.times
    func column(_ name: String) -> [Double] {
      rows.values[name] ?? Array(repeating: .nan, count: times.count)
    }
    let position = ["positionX", "positionY", "positionZ"].map(column)
    let sigma = ["positionSigmaX", "positionSigmaY", "positionSigmaZ"].map(column)
    let (stance, steps) = (column("stance"), column("step"))
    let isNorthUp = column("trackLatitude").contains(where: \.isFinite)
    let shown = times.indices.lazy.filter { range.contains(times[$0] - origin) }
    return PathPlotData(
      isNorthUp: isNorthUp, origin: origin, maximumGap: max(job.options.gap, 4 * times.medianStep),
      moments: shown.map { row in
        TrackEstimate(
          time: times[row], position: Vector3(position[0][row], position[1][row], position[2][row]), velocity: .zero,
          positionSigma: Vector3(sigma[0][row], sigma[1][row], sigma[2][row]), velocitySigma: .zero,
          isStanding: stance[row] == 1, stepCount: Int(exactly: steps[row]) ?? 0)
      })
  }

  /// The minimum distance of dots on a line at which they are distinguishable, in points (1/72 inch).
  private static let minimumDotSpacing = 4.0

  var maps: [Figure.Panel] {
    plots.map { rows, plotData in
      var panel = Figure.Panel(
        x: plotData.isNorthUp ? "East (m)" : material.isDataset ? "X of the frame (m)" : "X of \(frameName) (m)",
        y: plotData.isNorthUp ? "North (m)" : "Y (m)")
      (panel.hasEqualScale, panel.hasGrid, panel.hasNorthArrow) = (true, true, plotData.isNorthUp)
      panel.title = plots.count > 1 ? rows.name : ""
      panel.lines = plotData.stretches.map { stretch in
        var line = Figure.Line(name(of: stretch), x: stretch.x, y: stretch.y)
        line.tone = stretch.tone
        return line
      }
      if !plotData.band.isEmpty { panel.areas.append(Figure.Area("95 %", plotData.band, styleIndex: Looks.likely)) }
      if let outline = plotData.endOutline {
        panel.areas.append(Figure.Area("", [outline], styleIndex: Looks.end, isOutlined: true))
      }
      // The labels and margins take about a sixth of the width.
      let width = job.style.width * 72 / 25.4 * 5 / 6
      let dots = plotData.dots(apart: plotData.span / width * Self.minimumDotSpacing)
      if !dots.isEmpty {
        panel.points.append(points(plotData.dotName, dots, styleIndex: Looks.dots, weight: .dots))
      }
      let fixes = material.fixes.map(plotData.place)
      if plotData.isNorthUp, !fixes.isEmpty {
        panel.points.append(points("position fix", fixes, styleIndex: Looks.fixes, weight: .faint))
      }
      for (styleIndex, mark) in [("start", plotData.start), ("end", plotData.end)].enumerated() {
        guard let place = mark.1 else { continue }
        panel.points.append(Figure.Points(mark.0, x: [place.x], y: [place.y], styleIndex: styleIndex))
      }
      return panel
    }
  }

  private func points(
    _ name: String, _ places: [PathPlotData.Place], styleIndex: Int, weight: Figure.Points.Weight
  ) -> Figure.Points {
    var points = Figure.Points(name, x: places.map(\.x), y: places.map(\.y), styleIndex: styleIndex)
    points.weight = weight
    return points
  }

  private var frameName: String { job.options.motion.frame.name }

  /// Returns the name of a segment, such as "20–40 s".
  private func name(of segment: PathPlotData.Segment) -> String {
    func number(_ value: Double) -> String { String(cFormat: "%.4g", (value - origin) / time.divisor) }
    return "\(number(segment.from))–\(number(segment.to)) \(time.unit)"
  }

  var heights: [Figure.Panel] {
    plots.map { rows, plotData in
      var panel = Figure.Panel(x: "", y: "Height (m)")
      panel.title = plots.count > 1 ? rows.name : ""
      panel.hasGrid = true
      if plotData.knowsHeight {
        panel.lines.append(line("path, 95 %", plotData.times, plotData.heights, plotData.heightReaches, styleIndex: 0))
      } else if material.altitude == nil {
        // Without a barometer, steps do not determine the height, so only the uncertainty is shown.
        panel.lines.append(
          line("unknown, 95 %", plotData.times, plotData.heights, plotData.heightReaches, styleIndex: 0))
        let reach = plotData.heightReaches.filter(\.isFinite).max() ?? 0
        if reach > 0 { panel.y.range = -1.1 * reach...1.1 * reach }
      }
      if let altitude = material.altitude {
        let reaches = altitude.sigmas.map { $0 * PathPlotData.lineFactor }
        panel.lines.append(line("barometer, 95 %", altitude.times, altitude.values, reaches, styleIndex: 1))
      }
      let levels = levels(plotData)
      if !levels.isEmpty {
        // One line with breaks, as all floors share a style.
        let ends = levels.flatMap { [($0.from, $0.height), ($0.to, $0.height), ($0.to, .nan)] }
        var line = Figure.Line("floor", x: ends.map { axis($0.0) }, y: ends.map(\.1), styleIndex: 2)
        line.isThin = true
        panel.lines.append(line)
      }
      return panel
    }
  }

  private func axis(_ time: Double) -> Double { (time - origin) / self.time.divisor }

  private func line(
    _ name: String, _ times: [Double], _ values: [Double], _ reaches: [Double], styleIndex: Int
  ) -> Figure.Line {
    var line = Figure.Line(name, x: times.map(axis), y: values, styleIndex: styleIndex)
    line.band = (lower: zip(values, reaches).map { $0 - $1 }, upper: zip(values, reaches).map { $0 + $1 })
    line.maximumGap = max(job.options.gap, 4 * times.medianStep) / time.divisor
    return line
  }

  /// Returns the floors from the barometer if the log has one, otherwise from the path. A path with north up has no
  /// floors, as it may be driven on a hill.
  private func levels(_ plotData: PathPlotData) -> [PathPlotData.HeightPlateau] {
    if plotData.isNorthUp { return [] }
    if let altitude = material.altitude {
      return PathPlotData.levels(between: altitude.ways, times: altitude.times, heights: altitude.values)
    }
    return plotData.levels
  }
}

extension Double {
  /// The value in metres, with two decimals below 10, one below 100, otherwise none.
  package var metres: String { String(cFormat: abs(self) < 9.95 ? "%.2f" : abs(self) < 99.5 ? "%.1f" : "%.0f", self) }
}
