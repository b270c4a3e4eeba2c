internal import InertialCalibration
internal import InertialJobs
internal import InertialNumerics
internal import InertialSensors

// The results of `inertial allan` and `inertial calibrate`, as figures.

extension AllanJob.Report {
  /// A figure with one panel for each sensor, for the first requested deviation. Each axis has a curve with its
  /// confidence interval, and a thin curve of the fitted noise terms (only for the overlapping Allan deviation, to
  /// which they are fitted).
  package var figure: Figure {
    var figure = Figure(sensors.map(Self.panel))
    figure.description = "Deviations of sensors at rest over averaging time, with the fitted noise"
    return figure
  }

  private static func panel(_ sensor: AllanJob.Report.Sensor) -> Figure.Panel {
    let unit = sensor.units.value.text.replacing("^2", with: "²").replacing("uT", with: "µT")
    let kind = sensor.axes.first?.curves.first?.kind ?? .allan
    var panel = Figure.Panel(
      x: Figure.Axis("Averaging time (s)", isLogarithmic: true),
      y: Figure.Axis("\(sensor.name.capitalizedFirst) (\(unit))", isLogarithmic: true))
    panel.title = kind.title.capitalizedFirst
    panel.hasGrid = true
    for (styleIndex, axis) in sensor.axes.enumerated() {
      guard let curve = axis.curves.first else { continue }
      let times = curve.points.map(\.time)
      var line = Figure.Line(axis.name, x: times, y: curve.points.map(\.deviation), styleIndex: styleIndex)
      line.band = (curve.points.map(\.lower), curve.points.map(\.upper))
      panel.lines.append(line)
      guard kind == .allan, let noise = axis.noise else { continue }
      let described = times.filter { (noise.shortestTime...noise.longestTime).contains($0) }
      var fit = Figure.Line("", x: described, y: described.map(noise.deviation), styleIndex: styleIndex)
      fit.isThin = true
      panel.lines.append(fit)
    }
    return panel
  }
}

extension CalibrationJob.Report {
  /// A figure of the magnitudes of gravity in each still pose and of the field over time, as measured and as
  /// calibrated. Both should be constant in all attitudes, so the spread of the points shows the sensor error.
  package var figure: Figure {
    var panels: [Figure.Panel] = []
    if let result = calibration[.accelerometer] {
      var panel = Figure.Panel(x: "Still pose", y: "Gravity (g)")
      let places = stillPoses.indices.map { Double($0 + 1) }
      panel.points = [
        Figure.Points("as measured", x: places, y: stillPoses.map { rawAcceleration($0).norm }, styleIndex: 0),
        Figure.Points(
          "calibrated", x: places, y: stillPoses.map { result.model.calibrated(rawAcceleration($0)).norm },
          styleIndex: 1),
      ]
      panels.append(panel)
    }
    if let result = calibration[.magnetometer] {
      var panel = Figure.Panel(x: "Time (s)", y: "Field (µT)")
      panel.lines = [
        Figure.Line("as measured", x: rawField.times, y: rawField.values.map(\.norm), styleIndex: 0),
        Figure.Line(
          "calibrated", x: rawField.times, y: rawField.values.map { result.model.calibrated($0).norm }, styleIndex: 1),
      ]
      for index in panel.lines.indices { panel.lines[index].maximumGap = CalibrationJob.pause / 2 }
      panels.append(panel)
    }
    var figure = Figure(panels)
    figure.description = "Magnitudes of gravity and of the magnetic field before and after the calibration"
    return figure
  }

  /// Returns the acceleration of a pose as the sensor reports it, in units of standard gravity.
  private func rawAcceleration(_ pose: StillPose) -> Vector3 { pose.acceleration / gravityScale }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
