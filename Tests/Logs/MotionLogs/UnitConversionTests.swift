import Testing

@testable import InertialLogs

@Suite("Units")
struct UnitConversionTests {
  /// The conversion of each unit to Inertial's unit, calculated by hand.
  @Test(
    "accelerations become g",
    arguments: [
      ("g", 1), ("G", 1), ("mg", 0.001), ("m/s^2", 0.10197162129779283), ("m/s2", 0.10197162129779283),
      ("m/s²", 0.10197162129779283), ("m s^-2", 0.10197162129779283), ("m s⁻²", 0.10197162129779283),
      ("mps2", 0.10197162129779283), ("m/s/s", 0.10197162129779283), ("cm/s^2", 0.0010197162129779283),
    ])
  func acceleration(unit: String, expected: Double) throws {
    let one = try #require(Dimension.acceleration.conversion(from: unit)?.callAsFunction(1))
    #expect(abs(one - expected) <= 1e-16)
  }

  @Test(
    "angular rates become rad/s",
    arguments: [
      ("rad/s", 1), ("rad s^-1", 1), ("radians/s", 1), ("deg/s", 0.017453292519943295),
      ("°/s", 0.017453292519943295), ("dps", 0.017453292519943295), ("deg s^-1", 0.017453292519943295),
      ("mdps", 1.7453292519943296e-05), ("mrad/s", 0.001),
    ])
  func rotation(unit: String, expected: Double) throws {
    let one = try #require(Dimension.rotation.conversion(from: unit)?.callAsFunction(1))
    #expect(abs(one - expected) <= 1e-17 + 1e-16 * expected)
  }

  @Test(
    "fields become µT",
    arguments: [
      ("uT", 1), ("µT", 1), ("\u{03BC}T", 1), ("microteslas", 1), ("nT", 0.001), ("mT", 1000), ("T", 1e6),
      ("gauss", 100), ("G", 100), ("mG", 0.1), ("mgauss", 0.1),
    ])
  func field(unit: String, expected: Double) {
    #expect(Dimension.field.conversion(from: unit)?.callAsFunction(1) == expected)
  }

  @Test("angles become rad and times s", arguments: [("deg", 0.017453292519943295), ("rad", 1), ("radians", 1)])
  func angle(unit: String, expected: Double) {
    #expect(Dimension.angle.conversion(from: unit)?.callAsFunction(1) == expected)
    #expect(Dimension.time.conversion(from: "us")?.callAsFunction(12_345) == 0.012345)
    #expect(Dimension.time.conversion(from: "ms")?.callAsFunction(10) == 0.01)
    #expect(Dimension.time.conversion(from: "ns")?.callAsFunction(1e7) == 0.01)
  }

  @Test("a unit of another quantity and an unknown unit are refused")
  func refused() {
    #expect(Dimension.acceleration.conversion(from: "rad/s") == nil)
    #expect(Dimension.rotation.conversion(from: "g") == nil)
    #expect(Dimension.field.conversion(from: "a.u.") == nil)
    #expect(Dimension.time.conversion(from: "txt") == nil)
    #expect(Dimension.acceleration.conversion(from: "") == nil)
  }
}
