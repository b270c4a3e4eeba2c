internal import InertialSensors

/// Bridges pauses of the gyroscope with its last rate, at its own rate, for a filter that is to turn on across them.
///
/// Samples of other channels wait until the next rate is there, so that all come out in order of time.
struct RateHolder {
  /// Longest pause that is bridged, seconds: what a body turns like is not known for longer.
  static let longestBridge = 10.0

  let gap: Double
  private var last: SensorSample?
  /// Running mean of the intervals that are no gaps, seconds.
  private var interval: Double?
  private var waiting: [SensorSample] = []
  /// Whether the pause has become too long to be bridged.
  private var hasGivenUp = false
  /// Times of the rates that were put in, in order, up to those that were asked for.
  private var held: [Double] = []
  private var nextHeld = 0

  init(gap: Double) { self.gap = gap }

  /// Takes the next sample, and appends what can be handed on.
  mutating func add(_ sample: SensorSample, to ready: inout [SensorSample]) {
    guard let last else {
      ready.append(sample)
      if sample.channel == .gyroscope { self.last = sample }
      return
    }
    guard sample.channel == .gyroscope else {
      if !hasGivenUp, sample.time - last.time > Self.longestBridge {
        hasGivenUp = true
        giveWaiting(to: &ready)
      }
      if hasGivenUp { ready.append(sample) } else { waiting.append(sample) }
      return
    }
    let pause = sample.time - last.time
    if pause <= gap {
      if pause > 0 { interval = interval.map { $0 + 0.05 * (pause - $0) } ?? pause }
    } else if !hasGivenUp, pause <= Self.longestBridge {
      bridge(from: last, to: sample.time)
    }
    giveWaiting(to: &ready)
    ready.append(sample)
    self.last = sample
    hasGivenUp = false
  }

  /// No more samples will come.
  mutating func finish(to ready: inout [SensorSample]) { giveWaiting(to: &ready) }

  /// Whether a rate of this time was put in; asked for in rising order of time.
  mutating func isHeld(_ time: Double) -> Bool {
    while nextHeld < held.count, held[nextHeld] < time { nextHeld += 1 }
    if nextHeld == held.count {
      held.removeAll(keepingCapacity: true)
      nextHeld = 0
      return false
    }
    return held[nextHeld] == time
  }

  private mutating func bridge(from last: SensorSample, to end: Double) {
    guard let interval, interval > 0 else { return }
    // As many as there would have been, evenly.
    let count = max(Int(((end - last.time) / interval).rounded()), 1)
    let step = (end - last.time) / Double(count)
    var rates: [SensorSample] = []
    for index in stride(from: 1, to: count, by: 1) {
      var rate = last
      rate.time = last.time + Double(index) * step
      rates.append(rate)
      held.append(rate.time)
    }
    var merged: [SensorSample] = []
    merged.reserveCapacity(rates.count + waiting.count)
    var next = 0
    for rate in rates {
      while next < waiting.count, waiting[next].time < rate.time {
        merged.append(waiting[next])
        next += 1
      }
      merged.append(rate)
    }
    merged += waiting[next...]
    waiting = merged
  }

  private mutating func giveWaiting(to ready: inout [SensorSample]) {
    ready += waiting
    waiting.removeAll(keepingCapacity: true)
  }
}
