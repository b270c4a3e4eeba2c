import Testing

@testable import InertialLogs

@Suite("Units") struct UnitConversionTests {
  /// The conversion of each unit to Inertial's unit, calculated by hand, and the allowed error and relative error.
  @Test("accelerations become g, angular rates rad/s, fields µT, angles rad and times s")
  func conversions() {
    let (meters, degree) = (0.10197162129779283, 0.017453292519943295)
    let tables: [(Dimension, Double, Double, KeyValuePairs<String, Double>)] = [
      (
        .acceleration, 1e-16, 0,
        [
          "g": 1, "G": 1, "mg": 0.001, "m/s^2": meters, "m/s2": meters, "m/s²": meters, "m s^-2": meters,
          "m s⁻²": meters, "mps2": meters, "m/s/s": meters, "cm/s^2": 0.0010197162129779283,
        ]
      ),
      (
        .rotation, 1e-17, 1e-16,
        [
          "rad/s": 1, "rad s^-1": 1, "radians/s": 1, "deg/s": degree, "°/s": degree, "dps": degree, "deg s^-1": degree,
          "mdps": 1.7453292519943296e-05, "mrad/s": 0.001, "rpm": .pi / 30, "rps": 2 * .pi,
        ]
      ),
      (
        .field, 0, 0,
        [
          "uT": 1, "µT": 1, "\u{03BC}T": 1, "microteslas": 1, "nT": 0.001, "mT": 1000, "T": 1e6, "gauss": 100, "G": 100,
          "mG": 0.1, "mgauss": 0.1,
        ]
      ), (.angle, 0, 0, ["deg": degree, "rad": 1, "radians": 1]),
    ]
    for (dimension, error, relativeError, units) in tables {
      for (unit, expected) in units {
        let one = dimension.conversion(from: unit)?.callAsFunction(1) ?? .nan
        #expect(abs(one - expected) <= error + relativeError * expected, "\(unit) of \(dimension)")
      }
    }
    #expect(Dimension.time.conversion(from: "us")?.callAsFunction(12_345) == 0.012345)
    #expect(Dimension.time.conversion(from: "ms")?.callAsFunction(10) == 0.01)
    #expect(Dimension.time.conversion(from: "ns")?.callAsFunction(1e7) == 0.01)
  }

  @Test("a unit of another quantity and an unknown unit are refused")
  func refused() {
    #expect(Dimension.acceleration.conversion(from: "rad/s") == nil && Dimension.rotation.conversion(from: "g") == nil)
    #expect(Dimension.field.conversion(from: "a.u.") == nil && Dimension.time.conversion(from: "txt") == nil)
    #expect(Dimension.acceleration.conversion(from: "") == nil)
  }
}
