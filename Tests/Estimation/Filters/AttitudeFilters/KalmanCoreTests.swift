import CBLASCalls
import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Kalman filters on both cores")
struct KalmanCoreTests {
  static let samples = Simulation(
    trajectory: RandomSplineTrajectory(duration: 40, restDuration: 8, seed: 5), sensors: SensorSuite.phone.forFilters(),
    duration: 40, seed: 6
  ).samples()

  static func settings(_ core: KalmanCore) -> [String: Double] {
    ["core": Double(KalmanCore.allCases.firstIndex(of: core)!)]
  }

  /// Returns the attitudes and sigmas of a run, and its number of calls to BLAS or LAPACK.
  static func run(_ name: String, on core: KalmanCore?) throws -> (estimates: [AttitudeEstimate], calls: Int) {
    let kind = try #require(FilterKind.all[name])
    var filter = try kind.make(core.map(settings) ?? [:])
    let before = blas_calls_of_this_thread()
    var estimates: [AttitudeEstimate] = []
    for sample in samples {
      filter.take(sample)
      if sample.channel == .gyroscope, let estimate = filter.estimate { estimates.append(estimate) }
    }
    return (estimates, blas_calls_of_this_thread() - before)
  }

  @Test("both cores give attitudes equal to 1e-9 rad and the same sigmas", arguments: ["mekf", "ekf", "ukf"])
  func equal(name: String) throws {
    let (blas, fixed) = (try Self.run(name, on: .blas).estimates, try Self.run(name, on: .fixed).estimates)
    #expect(blas.count == fixed.count && blas.count > 3000)
    for (a, b) in zip(blas, fixed) {
      #expect(a.earthFromDevice.angle(to: b.earthFromDevice) < 1e-9)
      let (p, q) = (try #require(a.attitudeSigma), try #require(b.attitudeSigma))
      #expect((p - q).norm < 1e-7 * q.norm)
    }
  }

  @Test(
    "mekf, ekf and ukf run on BLAS and LAPACK in every epoch by default", .needs(.linux),
    arguments: ["mekf", "ekf", "ukf"])
  func calls(name: String) throws {
    let calls = try Self.run(name, on: nil).calls
    // 40 s in epochs of 50 ms, without the start-up.
    #expect(calls >= 2 * 39 * 20)
    #expect(try Self.run(name, on: .fixed).calls == 0)
  }

  @Test("kalman runs on BLAS in every epoch", .needs(.linux))
  func flagship() throws {
    // 40 s in epochs of 0.1 s, without the start-up.
    #expect(try Self.run("kalman", on: nil).calls >= 39 * 10)
  }
}
