import InertialNumerics
import InertialRotations
import InertialSensors
import Testing

/// A carrier that can be asked within an expectation.
private final class Carrier {
  private var carrier: AuxiliaryCarrier

  init(channel: AuxiliaryChannel) { carrier = AuxiliaryCarrier(channel: channel) }

  func add(_ sample: AuxiliarySample) { carrier.add(sample) }

  func finish() { carrier.isComplete = true }

  func isSettled(at time: Double, read: Double) -> Bool { carrier.isSettled(at: time, read: read) }

  /// The values at a time by their columns' names.
  func row(_ time: Double) -> [String: Double] {
    var numbers = [Double](repeating: 7, count: carrier.count)
    numbers.withUnsafeMutableBufferPointer { carrier.carry(to: time, into: $0) }
    let names = carrier.channel.fields.map(\.name) + [carrier.channel.ageName]
    return Dictionary(uniqueKeysWithValues: zip(names, numbers).filter { !$1.isNaN })
  }
}

@Suite struct AuxiliaryCarrierTests {
  private func sample(_ channel: AuxiliaryChannel, _ time: Double, _ values: [String: Double]) -> AuxiliarySample {
    var sample = AuxiliarySample(time: time, channel: channel)
    for (name, value) in values { sample[name] = value }
    return sample
  }

  @Test(
    "pressure lies on the line between its samples, with the age of the one before; there is none outside or in a gap")
  func interpolated() {
    let carrier = Carrier(channel: .barometer)
    for (time, pressure) in [(1.0, 100.0), (2, 101), (5, 104), (8.5, 90)] {
      carrier.add(sample(.barometer, time, ["pressure": pressure]))
    }
    #expect(carrier.row(0.5) == [:])
    #expect(carrier.row(1) == ["pressure": 100, "barometerAge": 0])
    #expect(carrier.row(1.25) == ["pressure": 100.25, "barometerAge": 0.25])
    // Three seconds are what the channel bridges, 3.5 are a gap.
    #expect(carrier.row(4) == ["pressure": 103, "barometerAge": 2])
    #expect(carrier.row(6) == ["barometerAge": 1])
    #expect(carrier.row(8.5) == ["pressure": 90, "barometerAge": 0])
    #expect(carrier.row(9) == ["barometerAge": 0.5])
  }

  @Test("counts hold until the next, however long that is")
  func previous() {
    let carrier = Carrier(channel: .pedometer)
    carrier.add(sample(.pedometer, 1, ["numberOfSteps": 10]))
    carrier.add(sample(.pedometer, 1000, ["numberOfSteps": 12]))
    #expect(carrier.row(999) == ["numberOfSteps": 10, "pedometerAge": 998])
    #expect(carrier.row(1000.5) == ["numberOfSteps": 12, "pedometerAge": 0.5])
  }

  @Test("a sound level is the nearest, also of a window still to come, and none where that is far")
  func nearest() {
    let carrier = Carrier(channel: .microphone)
    carrier.add(sample(.microphone, 1, ["soundLevel": -30]))
    carrier.add(sample(.microphone, 2, ["soundLevel": -20]))
    #expect(carrier.row(-0.5) == [:])
    #expect(carrier.row(0.25) == ["soundLevel": -30, "microphoneAge": -0.75])
    #expect(carrier.row(1.5) == ["soundLevel": -30, "microphoneAge": 0.5])
    #expect(carrier.row(1.75) == ["soundLevel": -20, "microphoneAge": -0.25])
    #expect(carrier.row(3) == ["soundLevel": -20, "microphoneAge": 1])
    #expect(carrier.row(3.25) == [:])
  }

  @Test(
    "angles take the shorter way round and stay in their range",
    arguments: [
      (350.0, 10.0, 0.25, 355.0), (10, 350, 0.75, 355), (0, 90, 0.5, 45), (359, 1, 0.5, 0), (90, 90, 0.5, 90),
    ])
  func headings(from: Double, to: Double, share: Double, expected: Double) {
    let carrier = Carrier(channel: .compass)
    carrier.add(sample(.compass, 0, ["magneticHeading": from]))
    carrier.add(sample(.compass, 1, ["magneticHeading": to]))
    #expect(abs(carrier.row(share)["magneticHeading"]! - expected) < 1e-12)
  }

  @Test("a place east of the date line is between its neighbours, and what one of them lacks is missing")
  func location() {
    let carrier = Carrier(channel: .location)
    carrier.add(sample(.location, 0, ["latitude": 10, "longitude": 179, "speed": 1, "horizontalAccuracy": 4]))
    carrier.add(sample(.location, 1, ["latitude": 12, "longitude": -179, "horizontalAccuracy": 8]))
    let row = carrier.row(0.75)
    #expect(row["latitude"] == 11.5 && abs(row["longitude"]! + 179.5) < 1e-12)
    #expect(row["horizontalAccuracy"] == 4 && row["speed"] == nil && row["locationAge"] == 0.75)
  }

  @Test(
    "a value that a sample lacks is missing at its time and beside it, in every field of every channel",
    arguments: AuxiliaryChannel.allCases.filter { !$0.isEvent })
  func missing(channel: AuxiliaryChannel) {
    let step = channel.longestInterpolation > 0 ? channel.longestInterpolation / 4 : 1
    for field in channel.fields {
      let carrier = Carrier(channel: channel)
      for index in 0..<3 {
        var sample = AuxiliarySample(time: Double(index) * step, channel: channel)
        for other in channel.fields where index != 1 || other != field { sample[other.name] = 0.3 }
        carrier.add(sample)
      }
      #expect(carrier.row(0)[field.name] == 0.3, "\(field.name)")
      for time in [1, 1.25] {
        let row = carrier.row(time * step)
        #expect(row[field.name] == nil, "\(field.name) at \(time)")
        // A quaternion is known as a whole or not at all.
        if channel != .deviceAttitude { #expect(row.count == channel.fields.count, "\(field.name) at \(time)") }
      }
      #expect(carrier.row(2 * step)[field.name] == 0.3, "\(field.name)")
    }
  }

  @Test("the device's attitude turns along the shorter arc, whatever the quaternions' signs")
  func attitude() {
    let turn = Quaternion(rotationVector: Vector3(0, 0, 1))
    let carrier = Carrier(channel: .deviceAttitude)
    for (time, q) in [(0.0, Quaternion.identity), (0.5, -turn)] {
      carrier.add(AuxiliarySample(SensorSample(time: time, channel: .deviceAttitude, q), as: .deviceAttitude))
    }
    let row = carrier.row(0.25)
    let expected = Quaternion(rotationVector: Vector3(0, 0, 0.5))
    let found = Quaternion(
      x: row["deviceQuaternionX"]!, y: row["deviceQuaternionY"]!, z: row["deviceQuaternionZ"]!,
      w: row["deviceQuaternionW"]!)
    #expect(abs(abs(found.dot(expected)) - 1) < 1e-14)
  }

  @Test("samples out of order find their place, and of one time the last holds")
  func order() {
    let carrier = Carrier(channel: .light)
    for (time, light) in [(3.0, 30.0), (1, 10), (2, 20), (2, 21)] {
      carrier.add(sample(.light, time, ["illuminance": light]))
    }
    #expect([1.5, 2, 2.5, 3].map { carrier.row($0)["illuminance"] } == [10, 21, 21, 30])
  }

  @Test("values are settled with the sample behind, with the time for one gone by, or with the end")
  func settled() {
    let barometer = Carrier(channel: .barometer)
    #expect(!barometer.isSettled(at: 1, read: 4) && barometer.isSettled(at: 1, read: 4.1))
    barometer.add(sample(.barometer, 1, ["pressure": 100]))
    #expect(!barometer.isSettled(at: 1, read: 1) && barometer.isSettled(at: 0.9, read: 1))
    barometer.finish()
    #expect(barometer.isSettled(at: 2, read: 2))
    // What does not look ahead never waits.
    #expect(AuxiliaryCarrier(channel: .battery).isSettled(at: 2, read: 2))
  }

  @Test("events are not carried")
  func events() async {
    await #expect(processExitsWith: .failure) { _ = AuxiliaryCarrier(channel: .annotation) }
  }
}
