// Draws the heading error of three filters on a simulated walk past iron, as a figure for a paper:
// swift run --package-path Notebooks-data DrawAFigure [FIGURE]
import Inertial
import InertialFigures
import InertialSimulation

@main struct DrawAFigure {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "past-iron.svg"
    var sensors = SensorSuite.researchIMU
    sensors.disturbances = [MagneticDisturbance(start: 20, end: 32, field: Vector3(-12, 22, 5), ramp: 2)]
    let walk = try Simulation(scenario: .walk, sensors: sensors, duration: 60, seed: 4)
    let recording = walk.recording()
    var configuration = DeviceMotionEstimator.Configuration()
    configuration.frame = .xMagneticNorthZVertical

    var panel = Figure.Panel(x: "Time (s)", y: "Heading error (°)")
    panel.shades = [Figure.Shade("near iron", [20...32])]
    for name in ["kalman", "vqf", "madgwick"] {
      guard let filter = FilterKind.all[name], let truth = recording[.referenceAttitude] else { continue }
      var estimator = try DeviceMotionEstimator(filter: filter, configuration: configuration)
      let motions = estimator.motions(of: walk.samples())
      let estimate = try OrientationTrack(
        times: motions.map(\.time), quaternions: motions.map(\.attitude.quaternion), frame: .nwu)
      let comparison = try OrientationComparison(
        estimate: estimate, reference: try OrientationTrack(truth, frame: .nwu))
      let degrees = comparison.errors.map { $0.heading * 180 / .pi }
      panel.lines.append(Figure.Line(name, x: comparison.times, y: degrees))
    }
    var figure = Figure([panel])
    figure.style.width = 89
    figure.style.fontSize = 8
    figure.description = "Heading error of three filters on a simulated walk past iron"
    try figure.write(to: path, force: true)
    print("\(path): \(panel.lines.count) filters, \(figure.style.width) mm wide")
  }
}
