// An app whose handlers are on the main queue, and which waits for the end of a recording on the main thread. Tests have no
// main thread of their own, so they start this: MainQueueApp HANDLERS prints how many updates came, of how many.

import CoreMotionCompatibility
import Dispatch
import Foundation

/// A second at rest.
let samples = (0..<100).flatMap { index -> [SensorSample] in
  let time = Double(index) / 100
  return [
    SensorSample(time: time, channel: .gyroscope, x: 0, y: 0, z: 0),
    SensorSample(time: time, channel: .accelerometer, x: 0, y: 0, z: -1),
  ]
}

/// Counts on the main actor alone.
@MainActor final class Counter {
  var count = 0
}

let handlers = CommandLine.arguments.last ?? ""
let source = RecordingSource(samples: samples, speed: handlers == "realtime" ? 10 : .infinity)
let manager = CMMotionManager(source: source)
let counter = Counter()

@MainActor func report(_ isOver: Bool) {
  print("\(handlers): \(counter.count) of 100, end \(isOver)")
  exit(0)
}

switch handlers {
case "operations", "realtime":
  manager.startAccelerometerUpdates(to: .main) { _, _ in MainActor.assumeIsolated { counter.count += 1 } }
  report(source.waitForEnd(timeout: 60))
case "dispatch":
  let queue = OperationQueue()
  manager.startAccelerometerUpdates(to: queue) { _, _ in
    DispatchQueue.main.async { counter.count += 1 }
  }
  let isOver = source.waitForEnd(timeout: 60)
  queue.waitUntilAllOperationsAreFinished()
  // What the handlers on the other queue have put into the main queue.
  while counter.count < 100, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 60)) {}
  report(isOver)
case "actor":
  manager.startAccelerometerUpdates(to: OperationQueue()) { _, _ in Task { @MainActor in counter.count += 1 } }
  let isOver = source.waitForEnd(timeout: 60)
  while counter.count < 100, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 60)) {}
  report(isOver)
case "asynchronous":
  manager.startAccelerometerUpdates(to: .main) { _, _ in MainActor.assumeIsolated { counter.count += 1 } }
  Task { @MainActor in report(await source.waitForEnd(timeout: 60)) }
  dispatchMain()
case "within":
  // Called by the main queue, it cannot serve it: the wait ends with its time, and the app continues.
  manager.startAccelerometerUpdates(to: .main) { _, _ in MainActor.assumeIsolated { counter.count += 1 } }
  DispatchQueue.main.async {
    print("within: end \(source.waitForEnd(timeout: 0.05)), then")
  }
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001))
  report(source.waitForEnd(timeout: 60))
default:
  print("usage: MainQueueApp operations|realtime|dispatch|actor|asynchronous|within")
  exit(2)
}
