import LinearAlgebra
import Rotations
import Sensors
import Simulation
import TestSupport
import Testing

@Suite("Log lines")
struct LogLinesTests {
  @Test("samples of one time share a row, absent sensors leave their fields empty")
  func rows() {
    let samples = [
      SensorSample(time: 0, channel: .gyroscope, Vector3(0.5, -0.000001, 1234)),
      SensorSample(time: 0, channel: .accelerometer, Vector3(0, 0, -1)),
      SensorSample(time: 0, channel: .referenceAttitude, Quaternion.identity),
      SensorSample(time: 0.01, channel: .magnetometer, Vector3(-20.5, 0.0000004, 3)),
      SensorSample(time: 0.01, channel: .magnetometer, Vector3(1, .nan, -.infinity)),
    ]
    #expect(
      Array(CanonicalLogLines(samples)) == [
        "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,"
          + "magneticFieldX,magneticFieldY,magneticFieldZ",
        "0.000000,0.000000,0.000000,-1.000000,0.500000,-0.000001,1234.000000,,,",
        "0.010000,,,,,,,-20.500000,0.000000,3.000000",
        "0.010000,,,,,,,1.000000,nan,-inf",
      ])
    #expect(
      Array(TruthLines(samples)) == [
        "time,quaternionX,quaternionY,quaternionZ,quaternionW,movement",
        "0.000000,0.000000,0.000000,0.000000,1.000000,",
      ])
  }

  @Test("an empty log is its header alone")
  func empty() {
    #expect(Array(CanonicalLogLines([])).count == 1)
    #expect(Array(TruthLines([])).count == 1)
  }

  @Test("a simulation's lines hold its values to half a millionth")
  func simulation() throws {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .ideal, duration: 3)
    let recording = simulation.recording()
    let lines = Array(CanonicalLogLines(simulation))
    #expect(lines.count == 301)
    for (index, line) in lines.dropFirst().enumerated() {
      let numbers = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0)! }
      #expect(numbers.count == 10)
      #expect(isNear(numbers[0], Double(index) / 100, within: 1e-12))
      let acceleration = recording[.accelerometer]![index].vector
      let rate = recording[.gyroscope]![index].vector
      let field = recording[.magnetometer]![index].vector
      #expect(isNear(Vector3(numbers[1], numbers[2], numbers[3]), acceleration, within: 1e-6))
      #expect(isNear(Vector3(numbers[4], numbers[5], numbers[6]), rate, within: 1e-6))
      #expect(isNear(Vector3(numbers[7], numbers[8], numbers[9]), field, within: 1e-6))
    }
    let truth = Array(TruthLines(simulation))
    #expect(truth.count == 301)
    #expect(truth[1].hasSuffix(",1"))
  }
}
