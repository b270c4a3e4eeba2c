import Testing

@testable import InertialJobs

@Suite("Input of recognisers from a log") struct MotionSampleTests {
  private func samples(_ text: String) throws -> [MotionSample] {
    let folder = TemporaryFolder()
    return try LogFeed(motionOf: folder.write(text, to: "log.csv")).motionSamples(orThrow: .badData(""))
  }

  @Test("all values in a row of the device's own motion belong to one sample", arguments: [true, false])
  func rows(hasUserAcceleration: Bool) throws {
    let names = ["gravity", hasUserAcceleration ? "userAcceleration" : "acceleration", "rotationRate"]
    let header = names.flatMap { name in ["X", "Y", "Z"].map { name + $0 } }
    let lines = (0..<100).map { index in
      let value = Double(index) / 50
      return "\(Double(index) / 25),0,0,-1,\(value),0,\(hasUserAcceleration ? 0 : -1),\(value),0,0"
    }
    let found = try samples((["time," + header.joined(separator: ",")] + lines).joined(separator: "\n") + "\n")
    #expect(found.count == 100)
    for (index, sample) in found.enumerated() {
      let value = Double(index) / 50
      #expect(sample.time == Double(index) / 25 && sample.userAcceleration == Vector3(value, 0, 0))
      #expect(sample.acceleration == Vector3(value, 0, -1) && sample.rotationRate == Vector3(value, 0, 0))
    }
  }
}
