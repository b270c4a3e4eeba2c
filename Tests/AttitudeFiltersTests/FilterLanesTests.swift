import LinearAlgebra
import Sensors
import Simulation
import Testing

@testable import AttitudeFilters

@Suite("Filters in lockstep, found by name")
struct FilterLanesTests {
  private func motion(_ seed: UInt64) throws -> MotionColumns {
    let samples = try Simulation(scenario: .walk, duration: 3, seed: seed).samples()
    // From the first acceleration on, so that no row is unknown: what is not a number equals nothing.
    let start = try #require(samples.first { $0.channel == .accelerometer }).time
    return MotionColumns(Recording(samples.filter { $0.time >= start }))
  }

  @Test("a kind has lanes where its filter is one of which several can run in lockstep")
  func kinds() throws {
    for name in ["mahony", "madgwick"] { #expect(try #require(FilterKind.named(name)).hasLanes) }
    for name in ["mekf", "kalman", "angular-rate"] {
      let kind = try #require(FilterKind.named(name))
      #expect(!kind.hasLanes)
      #expect(try kind.lanes([[:]]) == nil)
    }
  }

  @Test("they are those of the bank, with settings by name, over one recording or one each")
  func sameAsBank() throws {
    let kind = try #require(FilterKind.named("mahony"))
    let motions = try [motion(1), motion(2)]
    let settings = [["timeConstant": 0.7], ["timeConstant": 3]]
    var parameters = [Mahony.Parameters(), Mahony.Parameters()]
    for index in 0..<2 {
      parameters[index].headingReference = .initialHeading
      Mahony.Parameters.descriptions.first { $0.name == "timeConstant" }!
        .set(settings[index]["timeConstant"]!, in: &parameters[index])
    }
    let lanes = try #require(try kind.lanes(settings, headingReference: .initialHeading))
    #expect(lanes.count == 2)
    let bank = LaneBank<MahonyFilter>()
    #expect(try lanes.estimates(of: motions) == bank.estimates(of: motions, parameters: parameters))
    #expect(try lanes.estimates(of: [motions[0]]) == bank.estimates(of: motions[0], parameters: parameters))
  }

  @Test("wrong settings and columns that are no recording are refused")
  func refused() throws {
    let kind = try #require(FilterKind.named("madgwick"))
    #expect(throws: FilterSettingError.self) { try kind.lanes([[:], ["nothing": 1]]) }
    var broken = try motion(1)
    broken.gyroscope.times[5] = -1
    let lanes = try #require(try kind.lanes([[:]]))
    #expect(throws: MotionColumnsError.timesFall(.gyroscope, row: 5)) { try lanes.estimates(of: [broken]) }
  }
}
