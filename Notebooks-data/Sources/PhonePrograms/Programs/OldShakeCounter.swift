import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import UIKitCompatibility
#endif

/// A shake counter from before Core Motion: the old accelerometer's delegate compares each sample with the previous one. A
/// shake begins when two axes jump. The next one requires that all axes have come to rest, and half a second.
final class OldShakeCounter: UIAccelerometerDelegate {
  private var last: UIAcceleration?
  private var isExcited = false
  private var lastShake: CFAbsoluteTime = 0
  private(set) var count = 0

  func start() {
    UIAccelerometer.shared.updateInterval = 1.0 / 15.0
    UIAccelerometer.shared.delegate = self
  }

  func stop() { UIAccelerometer.shared.delegate = nil }

  func accelerometer(_ accelerometer: UIAccelerometer, didAccelerate acceleration: UIAcceleration) {
    defer { last = acceleration }
    guard let last else { return }
    if !isExcited, jumps(from: last, to: acceleration, by: 0.7) {
      isExcited = true
      let now = CFAbsoluteTimeGetCurrent()
      guard now - lastShake > 0.5 else { return }
      lastShake = now
      count += 1
    } else if isExcited, !jumps(from: last, to: acceleration, by: 0.2) {
      isExcited = false
    }
  }

  private func jumps(from a: UIAcceleration, to b: UIAcceleration, by threshold: UIAccelerationValue) -> Bool {
    let changes = [fabs(a.x - b.x), fabs(a.y - b.y), fabs(a.z - b.z)]
    return changes.filter { $0 > threshold }.count >= 2
  }
}
