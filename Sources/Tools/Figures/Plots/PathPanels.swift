internal import InertialFusion
internal import InertialJobs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// A path from above and its height over time, as panels of a figure.
struct PathPanels {
  let job: PlotJob
  let material: PlotMaterial
  /// The log's time that is 0 on the axis, seconds.
  let origin: Double
  /// Seconds of a unit of the axis of time, and its name.
  let time: (divisor: Double, unit: String)
  /// What is shown, in seconds of the axis.
  let range: ClosedRange<Double>

  /// Colours by their place in `Look`: grey of what is likely and of fixes, black of the end's ellipse and of dots.
  private enum Looks {
    static let likely = 6
    static let end = 2
    static let dots = 2
    static let fixes = 6
  }

  /// A picture for each filter, with what it is of.
  private var pictures: [(rows: PlotMaterial.Rows, picture: PathPicture)] {
    material.rows.map { ($0, picture(of: $0)) }
  }

  private func picture(of rows: PlotMaterial.Rows) -> PathPicture {
    let times = rows.times
    func column(_ name: String) -> [Double] {
      rows.values[name] ?? Array(repeating: .nan, count: times.count)
    }
    let position = ["positionX", "positionY", "positionZ"].map(column)
    let sigma = ["positionSigmaX", "positionSigmaY", "positionSigmaZ"].map(column)
    let (stance, steps) = (column("stance"), column("step"))
    let isNorthUp = column("trackLatitude").contains(where: \.isFinite)
    let shown = times.indices.lazy.filter { range.contains(times[$0] - origin) }
    return PathPicture(
      isNorthUp: isNorthUp, origin: origin, longestGap: max(job.options.gap, 4 * times.medianStep),
      moments: shown.map { row in
        PathPicture.Moment(
          time: times[row], position: Vector3(position[0][row], position[1][row], position[2][row]),
          sigma: Vector3(sigma[0][row], sigma[1][row], sigma[2][row]), isStanding: stance[row] == 1,
          stepCount: steps[row])
      })
  }

  /// Points (1/72 inch) that dots on a line are apart at least, so that they are seen as dots.
  private static let leastDotSpace = 4.0

  var maps: [Figure.Panel] {
    pictures.map { rows, picture in
      var panel = Figure.Panel(
        x: picture.isNorthUp ? "East (m)" : material.isDataset ? "X of the frame (m)" : "X of \(frameName) (m)",
        y: picture.isNorthUp ? "North (m)" : "Y (m)")
      (panel.hasEqualScale, panel.hasGrid, panel.hasNorthArrow) = (true, true, picture.isNorthUp)
      panel.title = pictures.count > 1 ? rows.name : ""
      panel.lines = picture.stretches.map { stretch in
        var line = Figure.Line(name(of: stretch), x: stretch.x, y: stretch.y)
        line.tone = stretch.tone
        return line
      }
      if !picture.band.isEmpty { panel.areas.append(Figure.Area("95 %", picture.band, look: Looks.likely)) }
      if let outline = picture.endOutline {
        panel.areas.append(Figure.Area("", [outline], look: Looks.end, isOutlined: true))
      }
      // What is beside the picture takes about a sixth of the width.
      let width = job.style.width * 72 / 25.4 * 5 / 6
      let dots = picture.dots(apart: picture.span / width * Self.leastDotSpace)
      if !dots.isEmpty {
        panel.points.append(points(picture.dotName, dots, look: Looks.dots, weight: .dots))
      }
      let fixes = material.fixes.map(picture.place)
      if picture.isNorthUp, !fixes.isEmpty {
        panel.points.append(points("position fix", fixes, look: Looks.fixes, weight: .faint))
      }
      for (look, mark) in [("start", picture.start), ("end", picture.end)].enumerated() {
        guard let place = mark.1 else { continue }
        panel.points.append(Figure.Points(mark.0, x: [place.x], y: [place.y], look: look))
      }
      return panel
    }
  }

  private func points(
    _ name: String, _ places: [PathPicture.Place], look: Int, weight: Figure.Points.Weight
  ) -> Figure.Points {
    var points = Figure.Points(name, x: places.map(\.x), y: places.map(\.y), look: look)
    points.weight = weight
    return points
  }

  private var frameName: String { job.options.motion.frame.name }

  /// "20–40 s".
  private func name(of stretch: PathPicture.Stretch) -> String {
    func number(_ value: Double) -> String { String(cFormat: "%.4g", (value - origin) / time.divisor) }
    return "\(number(stretch.from))–\(number(stretch.to)) \(time.unit)"
  }

  var heights: [Figure.Panel] {
    pictures.map { rows, picture in
      var panel = Figure.Panel(x: "", y: "Height (m)")
      panel.title = pictures.count > 1 ? rows.name : ""
      panel.hasGrid = true
      if picture.knowsHeight {
        panel.lines.append(line("path, 95 %", picture.times, picture.heights, picture.heightReaches, look: 0))
      } else if material.altitude == nil {
        // Without a barometer steps tell no height: what may be is all there is to see.
        panel.lines.append(line("not known, 95 %", picture.times, picture.heights, picture.heightReaches, look: 0))
        let reach = picture.heightReaches.filter(\.isFinite).max() ?? 0
        if reach > 0 { panel.y.range = -1.1 * reach...1.1 * reach }
      }
      if let altitude = material.altitude {
        let reaches = altitude.sigmas.map { $0 * PathPicture.lineFactor }
        panel.lines.append(line("barometer, 95 %", altitude.times, altitude.values, reaches, look: 1))
      }
      let levels = levels(picture)
      if !levels.isEmpty {
        // One line with breaks: all floors are of one kind.
        let ends = levels.flatMap { [($0.from, $0.height), ($0.to, $0.height), ($0.to, .nan)] }
        var line = Figure.Line("floor", x: ends.map { axis($0.0) }, y: ends.map(\.1), look: 2)
        line.isThin = true
        panel.lines.append(line)
      }
      return panel
    }
  }

  private func axis(_ time: Double) -> Double { (time - origin) / self.time.divisor }

  private func line(
    _ name: String, _ times: [Double], _ values: [Double], _ reaches: [Double], look: Int
  ) -> Figure.Line {
    var line = Figure.Line(name, x: times.map(axis), y: values, look: look)
    line.band = (lower: zip(values, reaches).map { $0 - $1 }, upper: zip(values, reaches).map { $0 + $1 })
    line.longestGap = max(job.options.gap, 4 * times.medianStep) / time.divisor
    return line
  }

  /// Floors by the barometer where the log has one, else by the path; a hill that is driven up has none.
  private func levels(_ picture: PathPicture) -> [PathPicture.Level] {
    if picture.isNorthUp { return [] }
    if let altitude = material.altitude {
      return PathPicture.levels(between: altitude.ways, times: altitude.times, heights: altitude.values)
    }
    return picture.levels
  }
}

extension Double {
  /// Metres as they are told: two digits behind the point below 10, else none that says nothing.
  package var metres: String { String(cFormat: abs(self) < 9.95 ? "%.2f" : abs(self) < 99.5 ? "%.1f" : "%.0f", self) }
}
