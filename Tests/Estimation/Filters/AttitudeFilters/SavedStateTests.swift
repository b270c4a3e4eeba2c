import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Saved state")
struct SavedStateTests {
  @Test(
    "a filter saved as JSON and resumed continues bit for bit, wherever the log is split",
    arguments: FilterKind.all, [HeadingReference.magneticNorth, .initialHeading])
  func resume(kind: FilterKind, reference: HeadingReference) throws {
    var suite = SensorSuite.phone.forFilters(rates: (101, 94, 25))
    suite.gyroscope!.gaps = [3...4]
    let samples = Simulation(
      trajectory: RandomSplineTrajectory(duration: 7, restDuration: 2, seed: 3), sensors: suite, duration: 7
    ).samples()
    var uninterrupted = kind.standard(headingReference: reference)
    uninterrupted.take(samples)

    var generator = SeededGenerator(seed: 9)
    // Before any sample, in the start-up, at the first field, and at other samples.
    var cuts = [0, 1, 2, 5, 60, samples.count - 1, samples.count]
    for _ in 0..<12 { cuts.append(Int(generator.next() % UInt64(samples.count))) }
    for cut in cuts {
      var filter = kind.standard(headingReference: reference)
      filter.take(samples[..<cut])
      filter = try savedAndResumed(filter)
      filter.take(samples[cut...])
      #expect(haveSameState(filter, uninterrupted), "cut at sample \(cut)")
    }
  }

  @Test("a copy is a snapshot: the original continues without it", arguments: FilterKind.all)
  func snapshot(kind: FilterKind) {
    var filter = kind.standard()
    filter.update(accelerometer: Vector3(0, 0, -1), at: 0)
    let copy = filter
    for index in 0..<50 { filter.update(gyroscope: Vector3(1, 0, 0), at: Double(index) * 0.01) }
    #expect(copy.estimate!.earthFromDevice == .identity)
    #expect(filter.estimate!.earthFromDevice.angle > 0.4)
  }

  @Test("changed parameters are saved with the filter", arguments: FilterKind.all)
  func parameters(kind: FilterKind) throws {
    let facts = kind.parameters[0]
    let value = (facts.defaultValue + facts.maximum) / 2
    let filter = try kind.make([facts.name: value])
    #expect(haveSameState(try savedAndResumed(filter), filter))
    #expect(!haveSameState(filter, kind.standard()))
  }

  @Test("a saved filter of an unknown name is an error that lists the known ones")
  func unknownName() throws {
    let data = try JSONEncoder().encode(AnyAttitudeFilter(MEKFFilter()))
    let saved = String(decoding: data, as: UTF8.self).replacing("\"mekf\"", with: "\"kefm\"")
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AnyAttitudeFilter.self, from: Data(saved.utf8))
    }
    let text = "there is no filter 'kefm'; use one of angular-rate, complementary, mahony"
    #expect("\(try #require(error))".contains(text))
  }
}
