import Foundation
import LinearAlgebra
import Sensors
import Testing

@testable import MotionLogs

/// Units that a log does not state: a refusal names those that the numbers suggest, and the options read them.
struct LogGuessTests {
  private static let header = "time (s),ax,ay,az,gx,gy,gz"

  private func text(_ table: SimulatedTable, perG: Double, perDegree: Double, digits: Int, isUnsigned: Bool = false)
    -> String
  {
    func words(_ v: Vector3) -> [String] {
      SimulatedTable.words(v, digits).map { word in
        guard isUnsigned, let value = Int(word), value < 0 else { return word }
        return "\(value + 65_536)"
      }
    }
    return table.text(Self.header) { row in
      [String(format: "%.3f", table.times[row])] + words(perG / standardGravity * table.acceleration[row])
        + words(perDegree * 180 / .pi * table.rates[row])
    }
  }

  @Test(
    "the units that the numbers suggest read the log without a fault",
    arguments: [
      (1, 1, 4, "g", "deg/s"), (standardGravity, 1, 3, "m/s2", "deg/s"), (1000, 1, 2, "mg", "deg/s"),
      (standardGravity, Double.pi / 180, 5, "m/s2", "rad/s"), (16_384, 131, 0, "16384/g", "131/dps"),
      (4096, 32.8, 0, "4096/g", "32.8/dps"), (8192, 65.5, 0, "8192/g", "65.5/dps"),
      (2048, 16.4, 0, "2048/g", "16.4/dps"),
    ] as [(Double, Double, Int, String, String)])
  func units(perG: Double, perDegree: Double, digits: Int, acceleration: String, rotation: String) throws {
    let text = text(SimulatedTable(), perG: perG, perDegree: perDegree, digits: digits)
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.contains("--acceleration-unit \(acceleration) --rotation-unit \(rotation) "), "\(error)")
    var options = LogOptions()
    options.accelerationUnit = LogOptions.AccelerationUnit(acceleration)
    options.rotationUnit = LogOptions.RotationUnit(rotation)
    #expect(try faults(text, options: options) == [])
  }

  @Test("slow turns in degrees are not read as radians")
  func slowDegrees() throws {
    let table = SimulatedTable(rate: 20, speed: 0.5)
    let text = table.text("t,ax,ay,az,gx,gy,gz") { row in
      ["\(50 * row)"] + SimulatedTable.words(table.acceleration[row], 3)
        + SimulatedTable.words(180 / .pi * table.rates[row], 2)
    }
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.contains("--acceleration-unit m/s2 --rotation-unit deg/s "))
    // The reader finds the time's unit by itself.
    #expect(!error.remedy.contains("--time-unit"))
  }

  @Test("counts without their sign are named and read")
  func unsigned() throws {
    let signed = text(SimulatedTable(), perG: 16_384, perDegree: 131, digits: 0)
    let unsigned = text(SimulatedTable(), perG: 16_384, perDegree: 131, digits: 0, isUnsigned: true)
    let error = try #require(throws: LogError.self) { try summary(unsigned) }
    #expect(error.remedy.contains("16384/g") && error.remedy.contains("without their sign"))
    var options = LogOptions()
    options.accelerationUnit = LogOptions.AccelerationUnit("16384/g")
    options.rotationUnit = LogOptions.RotationUnit("131/dps")
    let folder = TemporaryFolder()
    let read = try ["a": signed, "b": unsigned].mapValues { text throws in
      try LogFeed(path: folder.write(text, to: "log.csv"), options: options).load().samples
    }
    #expect(read["a"] == read["b"] && read["a"]?.isEmpty == false)
  }

  @Test("a text that names no unit is refused", arguments: ["0/g", "-5/g", "/g", "16384", "16384/s", "1/2/g"])
  func noUnit(text: String) {
    #expect(LogOptions.AccelerationUnit(text) == nil)
  }
}
