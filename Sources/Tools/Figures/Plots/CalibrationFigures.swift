internal import InertialCalibration
internal import InertialJobs
internal import InertialNumerics
internal import InertialSensors

// What `inertial allan` and `inertial calibrate` found, as figures.

extension AllanJob.Report {
  /// A panel for each sensor, by the first of the asked deviations: each axis with its interval, and thin the curve that the
  /// found terms make of it (of the overlapping Allan deviation alone, which they were fitted to).
  package var figure: Figure {
    var figure = Figure(sensors.map(Self.panel))
    figure.description = "Deviations of resting sensors over averaging times, with the fitted noise"
    return figure
  }

  private static func panel(_ sensor: AllanJob.Sensor) -> Figure.Panel {
    let unit = NoiseUnits(sensor.channel)?.value.text.replacing("^2", with: "²").replacing("uT", with: "µT") ?? ""
    let kind = sensor.axes.first?.curves.first?.kind ?? .allan
    var panel = Figure.Panel(
      x: Figure.Axis("Averaging time (s)", isLogarithmic: true),
      y: Figure.Axis("\(sensor.channel.name.capitalizedFirst) (\(unit))", isLogarithmic: true))
    panel.title = kind.title.capitalizedFirst
    panel.hasGrid = true
    for (look, axis) in sensor.axes.enumerated() {
      guard let curve = axis.curves.first else { continue }
      let times = curve.points.map(\.time)
      var line = Figure.Line(axis.name, x: times, y: curve.points.map(\.deviation), look: look)
      line.band = (curve.points.map(\.lower), curve.points.map(\.upper))
      panel.lines.append(line)
      guard kind == .allan, let noise = axis.noise else { continue }
      let described = times.filter { (noise.shortestTime...noise.longestTime).contains($0) }
      var fit = Figure.Line("", x: described, y: described.map(noise.deviation), look: look)
      fit.isThin = true
      panel.lines.append(fit)
    }
    return panel
  }
}

extension CalibrationJob.Report {
  /// Gravity's length in each still pose and the field's length over time, as measured and as calibrated: both are one
  /// number in every attitude, so what the points spread by is what is wrong.
  package var figure: Figure {
    var panels: [Figure.Panel] = []
    if let result = calibration[.accelerometer] {
      var panel = Figure.Panel(x: "Still pose", y: "Gravity (g)")
      let places = poses.indices.map { Double($0 + 1) }
      panel.points = [
        Figure.Points("as measured", x: places, y: poses.map { rawAcceleration($0).norm }, look: 0),
        Figure.Points(
          "calibrated", x: places, y: poses.map { result.model.calibrated(rawAcceleration($0)).norm }, look: 1),
      ]
      panels.append(panel)
    }
    if let result = calibration[.magnetometer] {
      var panel = Figure.Panel(x: "Time (s)", y: "Field (µT)")
      panel.lines = [
        Figure.Line("as measured", x: rawField.times, y: rawField.values.map(\.norm), look: 0),
        Figure.Line(
          "calibrated", x: rawField.times, y: rawField.values.map { result.model.calibrated($0).norm }, look: 1),
      ]
      for index in panel.lines.indices { panel.lines[index].longestGap = CalibrationJob.pause / 2 }
      panels.append(panel)
    }
    var figure = Figure(panels)
    figure.description = "Lengths of gravity and of the magnetic field before and after the calibration"
    return figure
  }

  /// In units of standard gravity, as the sensor says it.
  private func rawAcceleration(_ pose: StillPose) -> Vector3 { pose.acceleration / gravityScale }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
