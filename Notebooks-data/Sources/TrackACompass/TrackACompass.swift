// Runs a custom Kalman filter (CompassTracker.swift) on a simulated phone that rotates twice while a magnet passes:
// swift run -c release --package-path Notebooks-data TrackACompass
import Foundation
import Inertial
import InertialNumerics
import InertialSimulation

@main struct TrackACompass {
  static func main() throws {
    let trajectory = TurnTrajectory(angle: 4 * .pi, start: 5, duration: 40)
    var phone = SensorSuite.phone
    (phone.gyroscope, phone.referenceRate) = (nil, nil)
    phone.magnetometer?.output = .calibrated
    phone.magnetometer?.sensor.noiseDensity = 0.3

    // The compass reading: the heading of the attitude from gravity and field.
    var readings: [(time: Double, heading: Double, truth: Double)] = []
    var acceleration: Vector3?
    for sample in Simulation(trajectory: trajectory, sensors: phone, duration: 50, seed: 1) {
      if sample.channel == .accelerometer { acceleration = sample.vector }
      guard sample.channel == .calibratedMagneticField, let acceleration else { continue }
      let magnet = abs(sample.time - 30) < 0.25 ? Vector3(60, 0, 0) : .zero
      let attitude = try SAAM.attitude(acceleration: acceleration, field: sample.vector + magnet)
      let truth = trajectory.state(at: sample.time).attitude
      readings.append((sample.time, heading(of: attitude), heading(of: truth)))
    }

    var tracker = CompassTracker()
    var tracked: [Double] = []
    var refused = 0
    for reading in readings {
      refused += tracker.update(compass: reading.heading, at: reading.time) ? 0 : 1
      tracked.append(tracker.heading)
    }
    print("\(readings.count) readings, \(refused) refused")
    print("as read   ", error(of: readings.map(\.heading), readings.map(\.truth)))
    print("tracked   ", error(of: tracked, readings.map(\.truth)))
    print("smoothed  ", error(of: tracker.smoothedHeadings(), readings.map(\.truth)))
  }

  static func heading(of attitude: Quaternion) -> Double {
    let x = attitude.rotate(.unitX)
    return atan2(x.y, x.x)
  }

  static func error(of headings: [Double], _ truths: [Double]) -> String {
    let squares = zip(headings, truths).map { pow(remainder($0 - $1, 2 * .pi) * 180 / .pi, 2) }
    return String(format: "%.2f°", (squares.reduce(0, +) / Double(squares.count)).squareRoot())
  }
}
