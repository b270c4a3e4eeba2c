package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// The rule of square/seismic: three quarters of the samples of half a second are strong.
///
/// A sample is strong if the magnitude of the raw acceleration exceeds the threshold. The queue contains the samples
/// of the last half second, but at least three. A shake is detected if the queue spans at least a quarter second and
/// at least n/2 + n/4 of its n samples are strong, in integer arithmetic. The queue is then emptied. The rule does
/// not depend on the sample rate.
package struct StrongFractionRule: ShakeRule {
  package static let name = "seismic"
  package let parameters: Parameters
  private var queue: [Entry] = []
  private var strongCount = 0
  /// The minimum number of samples at which old samples are removed. The original keeps the samples of a shorter
  /// queue regardless of their age.
  private static let minimumQueue = 4
  /// The maximum number of samples, which limits the memory: more than half a second at 1000 Hz.
  private static let capacity = 1024

  private struct Entry: Sendable, Codable {
    var time: Double
    var isStrong: Bool
  }

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.0
    /// The magnitude with gravity above which a sample is strong, in m/s². 11 is light, 13 medium, 15 hard.
    package var threshold = 13.0
    /// The age above which a sample is removed from the queue, in seconds.
    package var maximumWindow = 0.5
    /// The minimum duration that the queue must span, in seconds.
    package var minimumWindow = 0.25

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init(
          "threshold", \.threshold, "m/s²", 0...1000, customary: 11...15,
          "Magnitude that is strong; 11, 13 or 15."),
        .init("maximumWindow", \.maximumWindow, "s", 0.01...10, "Age at which a sample is discarded."),
        .init("minimumWindow", \.minimumWindow, "s", 0...10, "Time that the samples must span."),
      ]
    }
  }

  package init(parameters: Parameters) {
    self.parameters = parameters
    queue.reserveCapacity(Self.capacity)
  }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    let magnitude = standardGravity * acceleration.norm
    var reading = ShakeReading(acceleration, magnitude: magnitude, above: parameters.threshold)
    purge(before: sample.time - parameters.maximumWindow)
    queue.append(Entry(time: sample.time, isStrong: reading.isActive))
    strongCount += reading.isActive ? 1 : 0
    let span = sample.time - queue[0].time
    let needed = queue.count >> 1 + queue.count >> 2
    reading.isDetected = Clock.isAtLeast(span, parameters.minimumWindow) && strongCount >= needed
    if reading.isDetected {
      reading.start = queue[0].time
      forgetSamples()
    }
    return reading
  }

  private mutating func purge(before cutoff: Double) {
    var leaving = 0
    while queue.count - leaving >= Self.minimumQueue, Clock.isMore(cutoff, than: queue[leaving].time) {
      strongCount -= queue[leaving].isStrong ? 1 : 0
      leaving += 1
    }
    if leaving == 0, queue.count == Self.capacity {
      strongCount -= queue[0].isStrong ? 1 : 0
      leaving = 1
    }
    queue.removeFirst(leaving)
  }

  package mutating func forgetSamples() {
    queue.removeAll(keepingCapacity: true)
    strongCount = 0
  }
}
