import CBLASCalls
import InertialFilters
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Kalman filters on BLAS")
struct KalmanCoreTests {
  private static let samples = Simulation(
    trajectory: RandomSplineTrajectory(duration: 40, restDuration: 8, seed: 5), sensors: SensorSuite.phone.forFilters(),
    duration: 40, seed: 6
  ).samples()

  /// Returns the number of calls to BLAS or LAPACK in a run.
  private static func calls(_ name: String) throws -> Int {
    var filter = try #require(FilterKind.all[name]).make()
    let before = blas_calls_of_this_thread()
    for sample in samples { filter.take(sample) }
    return blas_calls_of_this_thread() - before
  }

  @Test("mekf, eqf, ekf and ukf run on BLAS in every epoch", .needs(.linux), arguments: ["mekf", "eqf", "ekf", "ukf"])
  func epochFilters(name: String) throws {
    // Two products each for the force and the field. 40 s in epochs of 50 ms, without the start-up.
    #expect(try Self.calls(name) >= 4 * 39 * 20 * 9 / 10)
  }

  @Test("kalman runs on BLAS in every epoch", .needs(.linux))
  func flagship() throws {
    // 40 s in epochs of 0.1 s, without the start-up.
    #expect(try Self.calls("kalman") >= 39 * 10)
  }
}
