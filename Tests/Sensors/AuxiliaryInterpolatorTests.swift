import Testing

/// A carrier that can be queried within an expectation.
private final class Carrier {
  private var carrier: AuxiliaryInterpolator

  init(_ channel: AuxiliaryChannel, _ samples: [(time: Double, values: [String: Double])] = []) {
    carrier = AuxiliaryInterpolator(channel: channel)
    for (time, values) in samples { add(time, values) }
  }

  func add(_ time: Double, _ values: [String: Double]) {
    var sample = AuxiliarySample(time: time, channel: carrier.channel)
    for (name, value) in values { sample[name] = value }
    add(sample)
  }

  func add(_ sample: AuxiliarySample) { carrier.add(sample) }

  func finish() { carrier.isComplete = true }

  func isSettled(at time: Double, read: Double) -> Bool { carrier.isSettled(at: time, read: read) }

  /// Returns the values at a time, by the names of their columns.
  func row(_ time: Double) -> [String: Double] {
    var numbers = [Double](repeating: 7, count: carrier.count)
    numbers.withUnsafeMutableBufferPointer { carrier.carry(to: time, into: $0) }
    let names = carrier.channel.fields.map(\.name) + [carrier.channel.ageName]
    return Dictionary(uniqueKeysWithValues: zip(names, numbers).filter { !$1.isNaN })
  }
}

@Suite struct AuxiliaryInterpolatorTests {
  @Test("pressure is interpolated between samples, with the age of the previous one, and missing outside and in gaps")
  func interpolated() {
    let pressures = [(1.0, 100.0), (2, 101), (5, 104), (8.5, 90)]
    let carrier = Carrier(.barometer, pressures.map { ($0, ["pressure": $1]) })
    #expect(carrier.row(0.5) == [:] && carrier.row(1) == ["pressure": 100, "barometerAge": 0])
    #expect(carrier.row(1.25) == ["pressure": 100.25, "barometerAge": 0.25])
    // The channel bridges three seconds; 3.5 s are a gap.
    #expect(carrier.row(4) == ["pressure": 103, "barometerAge": 2] && carrier.row(6) == ["barometerAge": 1])
    #expect(carrier.row(8.5) == ["pressure": 90, "barometerAge": 0] && carrier.row(9) == ["barometerAge": 0.5])
  }

  @Test("counts are valid until the next sample, however late it is")
  func previous() {
    let carrier = Carrier(.pedometer, [(1, ["numberOfSteps": 10]), (1000, ["numberOfSteps": 12])])
    #expect(carrier.row(999) == ["numberOfSteps": 10, "pedometerAge": 998])
    #expect(carrier.row(1000.5) == ["numberOfSteps": 12, "pedometerAge": 0.5])
  }

  @Test("a sound level is the nearest one, even of a later window, and missing if that is far away")
  func nearest() {
    let carrier = Carrier(.microphone, [(1, ["soundLevel": -30]), (2, ["soundLevel": -20])])
    #expect(carrier.row(-0.5) == [:] && carrier.row(0.25) == ["soundLevel": -30, "microphoneAge": -0.75])
    #expect(carrier.row(1.5) == ["soundLevel": -30, "microphoneAge": 0.5])
    #expect(carrier.row(1.75) == ["soundLevel": -20, "microphoneAge": -0.25])
    #expect(carrier.row(3) == ["soundLevel": -20, "microphoneAge": 1] && carrier.row(3.25) == [:])
  }

  @Test(
    "angles are interpolated along the shorter arc and stay in their range",
    arguments: [
      (350.0, 10.0, 0.25, 355.0), (10, 350, 0.75, 355), (0, 90, 0.5, 45), (359, 1, 0.5, 0), (90, 90, 0.5, 90),
    ])
  func headings(from: Double, to: Double, fraction: Double, expected: Double) {
    let carrier = Carrier(.compass, [(0, ["magneticHeading": from]), (1, ["magneticHeading": to])])
    #expect(abs(carrier.row(fraction)["magneticHeading"]! - expected) < 1e-12)
  }

  @Test("a place east of the date line is between its neighbours, and a value missing in one of them is missing")
  func location() {
    let carrier = Carrier(.location, [(0, ["latitude": 10, "longitude": 179, "speed": 1, "horizontalAccuracy": 4])])
    carrier.add(1, ["latitude": 12, "longitude": -179, "horizontalAccuracy": 8])
    let row = carrier.row(0.75)
    #expect(row["latitude"] == 11.5 && abs(row["longitude"]! + 179.5) < 1e-12)
    #expect(row["horizontalAccuracy"] == 4 && row["speed"] == nil && row["locationAge"] == 0.75)
  }

  @Test(
    "a value missing in a sample is missing at its time and next to it, in every field of every channel",
    arguments: AuxiliaryChannel.allCases.filter { !$0.isEvent })
  func missing(channel: AuxiliaryChannel) {
    let step = channel.maximumInterpolationInterval > 0 ? channel.maximumInterpolationInterval / 4 : 1
    for field in channel.fields {
      let carrier = Carrier(channel)
      for index in 0..<3 {
        let present = channel.fields.filter { index != 1 || $0 != field }
        carrier.add(Double(index) * step, Dictionary(uniqueKeysWithValues: present.map { ($0.name, 0.3) }))
      }
      #expect(carrier.row(0)[field.name] == 0.3, "\(field.name)")
      for time in [1, 1.25] {
        let row = carrier.row(time * step)
        #expect(row[field.name] == nil, "\(field.name) at \(time)")
        // A quaternion is either complete or missing.
        if channel != .deviceAttitude { #expect(row.count == channel.fields.count, "\(field.name) at \(time)") }
      }
      #expect(carrier.row(2 * step)[field.name] == 0.3, "\(field.name)")
    }
  }

  @Test("the device's attitude rotates along the shorter arc, regardless of the quaternions' signs")
  func attitude() {
    let turn = Quaternion(rotationVector: Vector3(0, 0, 1))
    let carrier = Carrier(.deviceAttitude)
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

  @Test("unsorted samples are sorted, and the last of several with one timestamp is used")
  func order() {
    let carrier = Carrier(.light, [(3.0, 30.0), (1, 10), (2, 20), (2, 21)].map { ($0, ["illuminance": $1]) })
    #expect([1.5, 2, 2.5, 3].map { carrier.row($0)["illuminance"] } == [10, 21, 21, 30])
  }

  @Test("values are final after the next sample, after the time for one, or at the end")
  func settled() {
    let barometer = Carrier(.barometer)
    #expect(!barometer.isSettled(at: 1, read: 4) && barometer.isSettled(at: 1, read: 4.1))
    barometer.add(1, ["pressure": 100])
    #expect(!barometer.isSettled(at: 1, read: 1) && barometer.isSettled(at: 0.9, read: 1))
    barometer.finish()
    #expect(barometer.isSettled(at: 2, read: 2))
    // A channel without interpolation is not delayed.
    #expect(AuxiliaryInterpolator(channel: .battery).isSettled(at: 2, read: 2))
  }

  @Test("events are not interpolated")
  func events() async {
    await #expect(processExitsWith: .failure) { _ = AuxiliaryInterpolator(channel: .annotation) }
  }
}
