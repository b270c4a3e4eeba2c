/// Records the events of a source.
final class Listener: SensorReceiver, @unchecked Sendable {
  private let monitor = Monitor()
  private var kept: [SensorEvent] = []
  private let onEvent: (@Sendable (SensorEvent) -> Void)?

  init(onEvent: (@Sendable (SensorEvent) -> Void)? = nil) { self.onEvent = onEvent }

  func receive(_ event: SensorEvent) {
    monitor.withLock {
      kept.append(event)
      monitor.broadcast()
    }
    onEvent?(event)
  }

  var events: [SensorEvent] { monitor.withLock { kept } }

  var samples: [SensorSample] {
    events.flatMap { event -> [SensorSample] in if case .samples(let samples) = event { samples } else { [] } }
  }

  var auxiliary: [AuxiliarySample] {
    events.flatMap { event -> [AuxiliarySample] in if case .auxiliary(let samples) = event { samples } else { [] } }
  }

  var endCount: Int { events.count { if case .end = $0 { true } else { false } } }
  var silenceCount: Int { events.count { if case .silence = $0 { true } else { false } } }
  var jumpCount: Int { events.count { if case .discontinuity = $0 { true } else { false } } }

  /// Waits until the events satisfy a condition, for at most a minute.
  func wait(timeout: Double = 60, until isDone: ([SensorEvent]) -> Bool) -> Bool {
    let deadline = MonotonicClock.now + timeout
    return monitor.withLock {
      while !isDone(kept) {
        guard MonotonicClock.now < deadline else { return false }
        monitor.wait(until: deadline)
      }
      return true
    }
  }

  func waitForSamples(_ count: Int) -> Bool {
    wait { events in
      events.reduce(0) { sum, event in if case .samples(let s) = event { sum + s.count } else { sum } } >= count
    }
  }
}

extension SensorSource {
  /// Attaches a new listener.
  func attachListener() -> (Listener, SensorAttachment) {
    let listener = Listener()
    return (listener, attach(listener))
  }
}

/// Returns accelerometer and gyroscope samples at a rate, at rest face up.
func restingSamples(count: Int, rate: Double = 100, start: Double = 0) -> [SensorSample] {
  (0..<count).flatMap { index in
    let time = start + Double(index) / rate
    return [
      SensorSample(time: time, channel: .gyroscope, .zero),
      SensorSample(time: time, channel: .accelerometer, Vector3(0, 0, -1)),
    ]
  }
}

/// Returns a pressure sample.
func pressure(_ time: Double) -> AuxiliarySample {
  var sample = AuxiliarySample(time: time, channel: .barometer)
  sample["pressure"] = 101
  return sample
}

/// A source whose events are sent by the test.
final class ManualSource: SensorSource, @unchecked Sendable {
  let name = "a test"
  let channels: Set<SensorChannel> = [.accelerometer, .gyroscope]
  private(set) var receiver: (any SensorReceiver)?

  func attach(_ receiver: any SensorReceiver) -> SensorAttachment {
    self.receiver = receiver
    return SensorAttachment(leave: {}, cut: {})
  }
}
