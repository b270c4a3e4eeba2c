import InertialRecognition
import InertialSensors
import Testing

@Suite("Pedometer and rides")
struct RideAwarePedometerTests {
  @Test("a gait during a ride is not counted, but the walk after it is")
  func riding() {
    var pedometer = Pedometer()
    let walk = SimulatedGait().samples(rate: 50, 60)
    var counts: [Int] = []
    for (index, sample) in walk.enumerated() {
      pedometer.isRiding = (1000..<2000).contains(index)
      let outputs = pedometer.update(sample)
      if pedometer.isRiding {
        #expect(!outputs.contains { if case .step = $0 { true } else { false } })
        #expect(pedometer.data.currentCadence == nil && pedometer.data.currentPace == nil)
      }
      if index % 1000 == 999 { counts.append(pedometer.data.numberOfSteps) }
    }
    #expect(abs(counts[0] - 34) <= 3 && counts[1] == counts[0], "\(counts)")
    // Steps are detected up to 2.5 s late, so some from the end of the ride may be included.
    #expect((33...40).contains(counts[2] - counts[1]), "\(counts)")
  }

  @Test("a walk has the same count as by the pedometer alone", arguments: [15.0, 50, 100, 400])
  func walks(rate: Double) {
    var (alone, aware) = (Pedometer(), RideAwarePedometer())
    for sample in SimulatedGait().samples(rate: rate, 0, 5, 40, 8, 20, 5) {
      #expect(alone.update(sample) == aware.update(sample))
    }
    #expect(alone.finish() == aware.finish())
    #expect(aware.pedometer.data == alone.data && alone.data.numberOfSteps > 100)
  }

  @Test("a person at the speed of a vehicle makes no steps after some seconds; at 15 Hz, rides are not detected")
  func speed() {
    for rate in [50.0, 25, 15] {
      var pedometer = RideAwarePedometer()
      var early = 0
      for sample in SimulatedGait().samples(rate: rate, 120) {
        if sample.time == sample.time.rounded() { pedometer.update(speed: 15, at: sample.time) }
        _ = pedometer.update(sample)
        if sample.time <= 20 { early = pedometer.pedometer.data.numberOfSteps }
      }
      _ = pedometer.finish()
      let count = pedometer.pedometer.data.numberOfSteps
      if rate > 20 { #expect(early < 40 && count == early, "\(count)") } else { #expect(count > 200, "\(count)") }
    }
  }

  @Test("floors and updates match those of the pedometer")
  func floors() {
    var pedometer = RideAwarePedometer()
    #expect(pedometer.pedometer.data.floorsAscended == nil)
    pedometer.addFloors(ascended: 2, descended: 1)
    #expect(pedometer.pedometer.data.floorsAscended == 2 && pedometer.pedometer.data.floorsDescended == 1)
    #expect(pedometer.update(MotionSample(time: 0)).isEmpty && pedometer.finish().isEmpty)
  }
}
