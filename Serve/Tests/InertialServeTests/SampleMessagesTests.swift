import InertialLogs
import InertialSensors
import Testing

@testable import InertialServe

@Suite("Messages of other sources") struct SampleMessagesTests {
  private func motion(_ times: some Sequence<Double>) -> [SensorSample] {
    times.map { SensorSample(time: $0, channel: .accelerometer, x: 0, y: 0, z: -1) }
  }

  private func sample(_ channel: AuxiliaryChannel, at time: Double, _ values: [String: Double]) -> AuxiliarySample {
    var sample = AuxiliarySample(time: time, channel: channel)
    for (name, value) in values { sample[name] = value }
    return sample
  }

  /// Returns the names and the times of the readings of messages, in seconds since the epoch.
  private func readings(_ bodies: [[UInt8]]) throws -> [[(name: String, time: Double)]] {
    try bodies.map { body in
      try PushMessage(body: body, name: "").readings.map {
        ($0.name, Double($0.time - 1_700_000_000_000_000_000) / 1e9)
      }
    }
  }

  @Test(
    "a clock that jumps, forward or back, does not keep samples from the messages", arguments: [-5000.0, 5000, -0.2])
  func jumps(jump: Double) throws {
    var messages = SampleMessages(device: "d", session: "s", epoch: 1_700_000_000)
    let times = (0..<100).map { 0.01 * Double($0) + ($0 < 50 ? 6000 : 6000 + jump) }
    var bodies = times.flatMap { messages.add(motion([$0])) }.map(\.body)
    #expect(bodies.count >= 18)
    bodies += [messages.finish()].compactMap(\.self)
    #expect(try readings(bodies).joined().count == 100)
  }

  @Test("a sample of another channel is in the message of the motion at its time, and at the end in the last one")
  func auxiliary() throws {
    var messages = SampleMessages(device: "d", session: "s", epoch: 1_700_000_000)
    let pressures = stride(from: 0.0, through: 1.2, by: 0.1).map { time in
      sample(.barometer, at: time, ["pressure": 101.325])
    }
    var bodies = messages.add(motion((0..<100).map { 0.01 * Double($0) }), auxiliary: pressures).map(\.body)
    bodies += [messages.finish()].compactMap(\.self)
    let found = try readings(bodies)
    for message in found.dropLast() {
      let times = message.map(\.time)
      #expect(times.max()! - times.min()! < 0.1)
    }
    #expect(found.joined().count { $0.name == "barometer" } == pressures.count)
  }

  @Test("locations are sent, and calibrated fields unless their accuracy is too low for a heading")
  func channels() throws {
    var messages = SampleMessages(device: "d", session: "s", epoch: 1_700_000_000)
    let fields = [-1.0, 0, 1, 2, .nan].enumerated().map { index, accuracy in
      var field = SensorSample(time: 0.01 * Double(index), channel: .calibratedMagneticField, x: 20, y: 0, z: -40)
      field.w = accuracy
      return field
    }
    let place = sample(.location, at: 0, ["latitude": 48, "longitude": 11, "speed": 1.5])
    let complete = messages.add(fields, auxiliary: [place])
    #expect(complete.isEmpty)
    let last = messages.finish()
    let body = try #require(last)
    #expect(try readings([body])[0].map(\.name) == ["location", "magnetometer", "magnetometer", "magnetometer"])
    let text = String(decoding: body, as: UTF8.self)
    #expect(text.contains("\"latitude\":48.0") && text.contains("\"speed\":1.5") && !text.contains("altitude"))
  }
}
