import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Faults of a log's values that contradict physics; `fuse` warns about them.
struct LogFaultTests {
  @Test("a correct log has no fault", arguments: [false, true], [1, 3])
  func right(hasField: Bool, repeats: Int) throws {
    #expect(try faults(SimulatedTable(repeats: repeats).text(hasField: hasField)) == [])
  }

  enum Change: CaseIterable {
    case accelerationInG, accelerationHalved, accelerationTurnedRound, accelerationAxes
    case ratesTurnedRound, ratesAxes, ratesInDegrees, ratesAsIfDegrees
    case fieldInGauss, fieldTurnedRound, fieldStuck

    func apply(to table: inout SimulatedTable, from time: Double) {
      let start = table.rows(from: time).lowerBound
      for row in table.rows(from: time) {
        let (a, w) = (table.acceleration[row], table.rates[row])
        switch self {
        case .accelerationInG: table.acceleration[row] = a / standardGravity
        case .accelerationHalved: table.acceleration[row] = 0.5 * a
        case .accelerationTurnedRound: table.acceleration[row] = -1 * a
        case .accelerationAxes: table.acceleration[row] = Vector3(a.y, a.x, -a.z)
        case .ratesTurnedRound: table.rates[row] = -1 * w
        case .ratesAxes: table.rates[row] = Vector3(w.y, w.x, w.z)
        case .ratesInDegrees: table.rates[row] = 180 / .pi * w
        case .ratesAsIfDegrees: table.rates[row] = .pi / 180 * w
        case .fieldInGauss: table.field[row] = 0.01 * table.field[row]
        case .fieldTurnedRound: table.field[row] = -1 * table.field[row]
        case .fieldStuck: table.field[row] = table.field[start]
        }
      }
    }

    var sensor: String {
      switch self {
      case .accelerationInG, .accelerationHalved, .accelerationTurnedRound, .accelerationAxes: "acceleration"
      case .ratesTurnedRound, .ratesAxes, .ratesInDegrees, .ratesAsIfDegrees: "gyroscope"
      case .fieldInGauss, .fieldTurnedRound: "magnetic field"
      case .fieldStuck: "magnetometer"
      }
    }
  }

  @Test("a unit, sign, axes or sensor that changes in the middle is a fault or refused", arguments: Change.allCases)
  func changes(change: Change) throws {
    var table = SimulatedTable(repeats: 2)
    change.apply(to: &table, from: 18)
    do {
      let found = try faults(table.text(hasField: true))
      #expect(found.contains { $0.contains(change.sensor) }, "\(found)")
    } catch let error {
      #expect(error.problem.contains(change == .accelerationInG ? "acceleration" : "gyroscope"), "\(error)")
      #expect(change == .accelerationInG || change == .ratesInDegrees)
    }
  }

  @Test("a clock that is too fast or too slow is a fault", arguments: [1.0 / 60, 0.1, 10, 60, 100, 1000])
  func clockFactor(factor: Double) throws {
    let table = SimulatedTable()
    let text = table.text("time (s),acc_x (g),acc_y (g),acc_z (g),gyr_x (rad/s),gyr_y (rad/s),gyr_z (rad/s)") { row in
      [String(format: "%.7f", factor * table.times[row])]
        + SimulatedTable.words(1 / standardGravity * table.acceleration[row], 4)
        + SimulatedTable.words(table.rates[row], 4)
    }
    do {
      let found = try summary(text)
      #expect(found.faults.contains { $0.contains("clock") || $0.contains("rates are about") }, "\(found.faults)")
    } catch let error {
      #expect(error.description.contains("--time-unit") || error.description.contains("--sample-rate"), "\(error)")
    }
  }

  @Test("a constant accelerometer during a rotation is not a rest that contradicts the gyroscope")
  func heldRest() throws {
    var table = SimulatedTable(rate: 25)
    let held = table.rows(from: 3.9).lowerBound..<table.rows(from: 4.9).lowerBound
    for row in held { table.acceleration[row] = table.acceleration[held.lowerBound] }
    #expect(try !faults(table.text()).contains { $0.contains("contradict each other") })
  }

  @Test("the time of a change is reported")
  func timeOfChange() throws {
    var table = SimulatedTable()
    Change.accelerationHalved.apply(to: &table, from: 9)
    let text = try #require(try faults(table.text()).first { $0.contains("its unit or range changes there") })
    let time = try #require(text.split(separator: " ").dropFirst().first.flatMap { Double($0) })
    #expect(abs(time - 9) < 1.5)
  }

  @Test("rows that repeat the last values during a rotation are a fault from 0.15 s on", arguments: [4, 6, 40])
  func heldRows(count: Int) throws {
    var table = SimulatedTable()
    let first = table.rows(from: 2.3).lowerBound
    for row in first..<(first + count) {
      (table.acceleration[row], table.rates[row]) = (table.acceleration[first], table.rates[first])
    }
    let found = try faults(table.text())
    #expect(found.contains { $0.contains("gyroscope repeats the same values") && $0.contains("\(count) in a row") })
  }

  @Test("rows that repeat each value of a slower sensor are not a fault")
  func slowerSensor() throws {
    var table = SimulatedTable(rate: 50)
    for row in table.times.indices {
      let first = row - row % 8
      (table.acceleration[row], table.rates[row]) = (table.acceleration[first], table.rates[first])
    }
    #expect(try faults(table.text()) == [])
  }

  @Test("values clipped at 2 g and 250 degrees per second, or at another limit, are a fault", arguments: [1.0, 0.93])
  func clipping(fraction: Double) throws {
    var table = SimulatedTable(speed: 2.2)
    let (rate, force) = (fraction * 250 * .pi / 180, fraction * 2 * standardGravity)
    for row in table.times.indices {
      // A vibration during the rest at the start.
      if (0.2..<1.8).contains(table.times[row]) { table.acceleration[row].z += 30 * sin(40 * table.times[row]) }
      func clipped(_ v: Vector3, _ limit: Double) -> Vector3 {
        Vector3(max(-limit, min(limit, v.x)), max(-limit, min(limit, v.y)), max(-limit, min(limit, v.z)))
      }
      (table.acceleration[row], table.rates[row]) = (
        clipped(table.acceleration[row], force), clipped(table.rates[row], rate)
      )
    }
    let found = try faults(table.text())
    #expect(found.contains { $0.hasPrefix("The gyroscope's") && $0.contains("clipped") })
    #expect(found.contains { $0.hasPrefix("The accelerometer's") && $0.contains("clipped") })
  }

  @Test("a coarse resolution, or an accelerometer without a gyroscope, is not clipped")
  func notClipped() throws {
    var table = SimulatedTable(speed: 2.2)
    let degree = Double.pi / 180
    for row in table.times.indices {
      let rate = table.rates[row] / degree
      table.rates[row] = degree * Vector3(rate.x.rounded(), rate.y.rounded(), rate.z.rounded())
    }
    #expect(try !faults(table.text()).contains { $0.contains("clipped") })
    let text = table.text("time (s),acc_x (g),acc_y (g),acc_z (g)") { row in
      ["\(table.times[row])"]
        + SimulatedTable.words(1 / standardGravity * table.acceleration[row], 3).map { word in
          "\((Double(word)! / 0.0156).rounded() * 0.0156)"
        }
    }
    let folder = TemporaryFolder()
    var feed = LogFeed(path: folder.write(text, to: "log.csv"))
    (feed.isInspected, feed.isTolerant) = (true, true)
    let report = InspectionReport(try feed.load().summary)
    #expect(!report.findings.contains { $0.text.contains("clipped") })
  }

  @Test("a constant field, with or without noise, and a field of noise only are faults", arguments: [0.0, 0.5, 30])
  func foreignField(noise: Double) throws {
    var table = SimulatedTable()
    var random = SeededGenerator(seed: 3)
    for row in table.times.indices {
      func one() -> Double { noise * Double.random(in: -1...1, using: &random) }
      let around = noise < 10 ? table.field[0] : .zero
      table.field[row] = around + Vector3(one(), one(), one())
    }
    let found = try faults(table.text(hasField: true))
    #expect(found.contains { $0.contains("magnetometer") && $0.contains("provides no heading") })
  }

  @Test("sensors without a common time are refused")
  func overlap() throws {
    let table = SimulatedTable()
    let folder = TemporaryFolder()
    folder.write(
      table.text("time (s),acc_x (m/s^2),acc_y (m/s^2),acc_z (m/s^2)") {
        ["\(table.times[$0])"] + SimulatedTable.words(table.acceleration[$0], 3)
      }, to: "accelerometer.csv")
    folder.write(
      table.text("time (s),gyr_x (rad/s),gyr_y (rad/s),gyr_z (rad/s)") {
        ["\(table.times[$0] + 40)"] + SimulatedTable.words(table.rates[$0], 4)
      }, to: "gyroscope.csv")
    let error = try #require(throws: LogError.self) { try LogFeed(path: folder.path).load() }
    #expect(error.problem.hasPrefix("the sensors do not overlap in time"))
  }
}
