import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport

@testable import InertialLogs

/// A device that rests, yaws, tilts and returns, as rows of numbers in SI units: specific force and rates in the device
/// frame, and the field, with a sensor's noise.
struct SimulatedTable {
  private(set) var times: [Double] = []
  /// The specific force in m/s²; at rest and level (0, 0, 9.8).
  var acceleration: [Vector3] = []
  /// The rotation rates, in rad/s.
  var rates: [Vector3] = []
  /// The magnetic field, in µT.
  var field: [Vector3] = []

  /// The durations in seconds, and a rotation's axis (`nil`: rest) and angle in degrees.
  private static let moves: [(Double, Vector3?, Double)] = [
    (2, nil, 0), (1, .unitZ, 90), (0.8, nil, 0), (1.2, .unitX, 60), (0.8, nil, 0), (1.2, .unitX, -60), (0.8, nil, 0),
    (1, .unitY, -50), (0.8, nil, 0), (1, .unitY, 50), (0.8, nil, 0), (1.2, .unitX, 70), (0.8, nil, 0),
    (1.2, .unitX, -70), (0.8, nil, 0), (1, .unitZ, -90), (2, nil, 0),
  ]

  init(rate: Double = 25, seed: UInt64 = 8, speed: Double = 1, repeats: Int = 1) {
    var random = SeededGenerator(seed: seed)
    func noise(_ sigma: Double) -> Vector3 {
      func one() -> Double {
        (0..<6).reduce(-3) { sum, _ in sum + Double.random(in: 0...1, using: &random) } * sigma * 1.4
      }
      return Vector3(one(), one(), one())
    }
    // Not level, so that gravity affects all axes.
    var attitude = Quaternion(rotationVector: Vector3(0.1, 0.07, 0))
    let moves = (0..<repeats).flatMap { _ in Self.moves }
    let ends = moves.reduce(into: [0.0]) { $0.append($0.last! + $1.0 / speed) }
    let (inner, count) = (20, Int(ends.last! * rate))
    var move = 0
    for index in 0..<count {
      let time = Double(index) / rate
      var turning = Vector3.zero
      for part in 0..<inner {
        let now = time + Double(part) / rate / Double(inner)
        while move + 1 < moves.count, now >= ends[move + 1] { move += 1 }
        let duration = moves[move].0 / speed
        let fraction = (now - ends[move]) / duration
        let rise = 30 * fraction * fraction * (1 - fraction) * (1 - fraction) / duration
        let turn = moves[move].1.map { moves[move].2 * .pi / 180 * rise * $0 } ?? .zero
        if part == 0 { turning = turn }
        attitude = (attitude * Quaternion(rotationVector: turn / rate / Double(inner))).normalized!
      }
      times.append(time)
      acceleration.append(attitude.rotateInverse(Vector3(0, 0, standardGravity)) + noise(0.03))
      rates.append(turning + Vector3(0.004, -0.003, 0.002) + noise(0.002))
      field.append(attitude.rotateInverse(Vector3(0, 20, -43)) + noise(0.3))
    }
  }

  /// Returns the indices of the rows from a time on.
  func rows(from time: Double) -> Range<Int> { (times.firstIndex { $0 >= time } ?? times.count)..<times.count }

  /// Returns a CSV with units in its header.
  func text(hasField: Bool = false) -> String {
    let axes = ["x", "y", "z"]
    var names = ["time (s)"] + axes.map { "acc_\($0) (m/s^2)" } + axes.map { "gyr_\($0) (rad/s)" }
    if hasField { names += axes.map { "mag_\($0) (uT)" } }
    return text(names.joined(separator: ",")) { row in
      [String(format: "%.4f", times[row])] + Self.words(acceleration[row], 3) + Self.words(rates[row], 4)
        + (hasField ? Self.words(field[row], 2) : [])
    }
  }

  func text(_ header: String, row: (Int) -> [String]) -> String {
    header + "\n" + times.indices.map { row($0).joined(separator: ",") + "\n" }.joined()
  }

  static func words(_ v: Vector3, _ digits: Int) -> [String] {
    [v.x, v.y, v.z].map { String(format: "%.\(digits)f", $0) }
  }
}

/// Returns a log's faults, as in the warnings of `fuse`.
func faults(_ text: String, options: LogOptions = LogOptions()) throws(LogError) -> [String] {
  try summary(text, options: options).faults
}

func summary(_ text: String, options: LogOptions = LogOptions()) throws(LogError) -> LogSummary {
  let folder = TemporaryFolder()
  return try LogFeed(path: folder.write(text, to: "log.csv"), options: options).load().summary
}
