import Testing

@testable import InertialServe

@Suite("The order of batches and sensors") struct SequencerTests {
  @Test("a batch in order is not delayed; an early batch waits for the previous ones, for a limited time")
  func order() {
    var sequencer = BatchSequencer<Int>(patience: 1)
    #expect(sequencer.add(5, number: 5, now: 0) == [5])
    #expect(sequencer.add(7, number: 7, now: 0.1) == [] && sequencer.deadline == 1.1)
    #expect(sequencer.add(8, number: 8, now: 0.2) == [])
    #expect(sequencer.add(6, number: 6, now: 0.3) == [6, 7, 8] && sequencer.deadline == nil)
    #expect(sequencer.add(10, number: 10, now: 0.4) == [])
    #expect(sequencer.release(now: 1.3) == [] && sequencer.release(now: 1.4) == [10] && sequencer.missingCount == 1)
    // A batch that arrives after its time has expired is late, and is still forwarded to be counted.
    #expect(sequencer.add(9, number: 9, now: 2) == [9] && sequencer.lateCount == 1)
    #expect(sequencer.add(1, number: nil, now: 2) == [1])
    #expect(sequencer.add(13, number: 13, now: 3) == [] && sequencer.finish() == [13])
  }

  @Test("arbitrary numbers do not trap, and at most a few hundred batches are buffered")
  func extremes() {
    var sequencer = BatchSequencer<Int>(patience: 1)
    _ = sequencer.add(0, number: 0, now: 0)
    var count = 0
    for index in 0..<1000 { count += sequencer.add(index, number: 10 + 2 * index, now: 0).count }
    #expect(count >= 740 && sequencer.pendingCount <= 256)
    var wide = BatchSequencer<Int>(patience: 0)
    #expect(wide.add(1, number: .max, now: 0) == [1])
    _ = wide.add(2, number: .min, now: 0)
    _ = wide.add(3, number: 0, now: 0)
    var far = BatchSequencer<Int>(patience: 0)
    _ = far.add(1, number: .min, now: 0)
    _ = far.add(2, number: .max, now: 0)
    #expect(far.release(now: 1) == [2])
  }

  @Test("the batches that wait have a limited number of values together")
  func sizes() {
    var sequencer = BatchSequencer<Int>(patience: 1) { _ in 20_000 }
    #expect(sequencer.add(0, number: 0, now: 0) == [0])
    #expect(sequencer.add(2, number: 2, now: 0) == [] && sequencer.add(4, number: 4, now: 0) == [])
    // A batch that is sent again replaces itself.
    #expect(sequencer.add(4, number: 4, now: 0) == [] && sequencer.add(6, number: 6, now: 0) == [2])
    #expect(sequencer.pendingCount == 2 && sequencer.finish() == [4, 6])
  }

  @Test("samples that all have the same time, or wait for another sensor, are limited")
  func sameTime() {
    var gate = SensorGate()
    let early = SensorSample(time: 0, channel: .gyroscope, x: 0, y: 0, z: 0)
    let late = SensorSample(time: 0.2, channel: .accelerometer, x: 0, y: 0, z: -1)
    var count = gate.add([early]).count
    for _ in 0..<100 { count += gate.add([SensorSample](repeating: late, count: 200)).count }
    #expect(count == 1 + 20_000 - SensorGate.maximumPending && gate.finish().count == SensorGate.maximumPending)
  }

  @Test("samples of a sensor wait for sensors that lag behind, and regular sensors that end together are not delayed")
  func gate() {
    func samples(_ channel: SensorChannel, _ range: Range<Int>) -> [SensorSample] {
      range.map { SensorSample(time: Double($0) / 100, channel: channel, x: 0, y: 0, z: -1) }
    }
    var gate = SensorGate()
    let first = (samples(.gyroscope, 0..<20) + samples(.accelerometer, 0..<20)).sorted { $0.time < $1.time }
    #expect(gate.add(first).count == 40)
    // The accelerometer ends four samples earlier.
    let second = (samples(.gyroscope, 20..<30) + samples(.accelerometer, 20..<26)).sorted { $0.time < $1.time }
    let ready = gate.add(second)
    #expect(ready.count == 12 && ready.last?.time == 0.25)
    let third = gate.add((samples(.accelerometer, 26..<30)))
    #expect(third.count == 8 && zip(third, third.dropFirst()).allSatisfy { $0.time <= $1.time })
    // A sensor that has stopped delays the others only briefly.
    let alone = gate.add(samples(.gyroscope, 30..<90))
    #expect(alone.count >= 30 && gate.finish().count == 60 - alone.count)
  }
}
