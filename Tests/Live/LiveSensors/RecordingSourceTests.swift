import Testing

@Suite struct RecordingSourceTests {
  @Test("at infinite speed every sample is delivered, in order, followed by the end")
  func fast() {
    let samples = restingSamples(count: 500)
    let source = RecordingSource(samples: samples, speed: .infinity)
    #expect(source.channels == [.gyroscope, .accelerometer] && source.waitsForReceivers)
    #expect(source.rate(of: .gyroscope).map { abs($0 - 100) < 1e-9 } == true)
    let listener = source.heard()
    #expect(listener.samples == samples && listener.endCount == 1 && source.isAtEnd)
  }

  @Test("samples of other channels precede motion samples with later timestamps")
  func auxiliaryOrder() {
    let others = [pressure(0.005), pressure(0.02), pressure(-1), pressure(9)]
    let source = RecordingSource(samples: restingSamples(count: 5), auxiliary: others, speed: .infinity)
    #expect(source.times == -1...9)
    let listener = source.heard()
    var order: [String] = []
    for event in listener.events {
      switch event {
      case .samples(let samples): order += samples.map { "\($0.time)" }
      case .auxiliary(let samples): order += samples.map { "other \($0.time)" }
      default: break
      }
    }
    let expected = [
      "other -1.0", "0.0", "0.0", "other 0.005", "0.01", "0.01", "other 0.02", "0.02", "0.02", "0.03", "0.03", "0.04",
      "0.04", "other 9.0",
    ]
    #expect(order == expected)
  }

  @Test("in real time, or a multiple of it, samples are not delivered before they are due")
  func realTime() {
    // 2 s of samples in 0.1 s.
    let source = RecordingSource(samples: restingSamples(count: 200), speed: 20)
    let start = MonotonicClock.now
    let arrivals = Arrivals()
    let listener = Listener { event in
      if case .samples(let samples) = event { arrivals.note(samples[samples.count - 1].time) }
    }
    let attachment = source.attach(listener)
    #expect(source.waitForEnd(timeout: 60))
    attachment.cancel()
    #expect(MonotonicClock.now - start >= 1.99 / 20 && listener.samples.count == 400)
    let soonest = arrivals.all.map { $0.arrival - start - $0.time / 20 }.min() ?? -1
    #expect(soonest >= -1e-3)
  }

  @Test("the clock stands until a receiver attaches, and while it is paused")
  func standing() {
    let samples = restingSamples(count: 100)
    let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
    let (listener, attachment) = source.attachListener()
    Thread.sleep(forTimeInterval: 0.01)
    #expect(listener.events.isEmpty && source.position == 0 && source.isPaused)
    source.resume()
    #expect(source.waitForEnd(timeout: 60))
    attachment.cancel()

    let slow = RecordingSource(samples: samples, speed: 1)
    Thread.sleep(forTimeInterval: 0.02)
    #expect(slow.position == 0)
  }

  /// Attaches a receiver to a paused source for the first samples.
  ///
  /// - Returns: The time of the last sample.
  private func hearFirst(_ source: RecordingSource) -> Double {
    let box = AttachmentBox()
    let leaver = Listener { event in if case .samples = event { box.cancel() } }
    box.set(source.attach(leaver))
    source.resume()
    #expect(leaver.waitForSamples(2))
    box.cancel()
    return leaver.samples.last?.time ?? .nan
  }

  /// Returns the samples of a receiver that attaches after another one has received the first samples and detached.
  private func heardAfterPause(
    _ source: RecordingSource, until position: Double
  ) -> (left: Double, came: Double, heard: [SensorSample]) {
    let left = hearFirst(source)
    #expect(eventually { source.position >= position })
    let came = source.position
    let second = source.heard()
    return (left, came, second.samples)
  }

  @Test(
    "without receivers the clock runs at a finite speed, or if requested at infinite speed, and skips samples",
    arguments: [(20.0, RecordingSource.IdleClockPolicy.automatic), (20, .runs), (.infinity, .runs)])
  func unheardTime(speed: Double, unheard: RecordingSource.IdleClockPolicy) {
    let source = RecordingSource(samples: restingSamples(count: 300), speed: speed, unheard: unheard, isPaused: true)
    let (left, came, heard) = heardAfterPause(source, until: 0.1)
    #expect(left < came && heard.allSatisfy { $0.time >= came } && heard.last?.time ?? 2.99 == 2.99)
  }

  @Test(
    "if the clock stops without receivers, the next receiver gets the following samples",
    arguments: [(20.0, RecordingSource.IdleClockPolicy.stands), (.infinity, .automatic), (.infinity, .stands)])
  func standingUnheard(speed: Double, unheard: RecordingSource.IdleClockPolicy) {
    let source = RecordingSource(samples: restingSamples(count: 300), speed: speed, unheard: unheard, isPaused: true)
    let (left, came, heard) = heardAfterPause(source, until: 0)
    #expect(source.unheard == unheard && came < 3)
    #expect(heard.first.map { abs($0.time - left - 0.01) < 1e-9 } == true && heard.last?.time == 2.99)
  }

  @Test("the end also passes without receivers, and a jump without receivers is reported to the next one")
  func unheardEnd() {
    let source = RecordingSource(samples: restingSamples(count: 100), speed: 20, isPaused: true)
    _ = hearFirst(source)
    #expect(source.waitForEnd(timeout: 60))
    #expect(source.isAtEnd && source.position == 0.99)
    let (second, late) = source.attachListener()
    #expect(second.wait { !$0.isEmpty })
    late.cancel()
    #expect(second.samples.isEmpty && second.endCount == 1)
    source.seek(to: 0.5)
    Thread.sleep(forTimeInterval: 0.01)
    #expect(source.position == 0.5 && !source.isAtEnd)
    let third = source.heard()
    #expect(third.samples.first?.time == 0.5 && third.samples.count == 100)
  }

  @Test("a pause also stops the clock without receivers")
  func unheardPause() {
    let source = RecordingSource(samples: restingSamples(count: 300), speed: 20, isPaused: true)
    _ = hearFirst(source)
    source.pause()
    let position = source.position
    Thread.sleep(forTimeInterval: 0.01)
    #expect(source.position == position)
    let (second, again) = source.attachListener()
    source.resume()
    #expect(second.waitForSamples(2))
    again.cancel()
    #expect(second.samples.allSatisfy { $0.time >= position })
  }

  @Test("a wait gives up if no receiver is attached and the clock stands: before a start, and after the last stop")
  func givesUp() async {
    func source(isPaused: Bool = false) -> RecordingSource {
      RecordingSource(
        samples: restingSamples(count: 100), speed: .infinity, isPaused: isPaused, maximumSilence: 0.01)
    }
    // Every start was refused.
    #expect(!source().waitForEnd())
    #expect(await source().waitForEnd() == false)
    // The last handler has stopped before the end.
    let stopped = source(isPaused: true)
    let (_, attachment) = stopped.attachListener()
    attachment.cancel()
    stopped.resume()
    #expect(await stopped.waitForEnd() == false && !stopped.isAtEnd)
    // A receiver that is attached later is heard.
    let (listener, again) = stopped.attachListener()
    #expect(await stopped.waitForEnd() && listener.samples.count == 200)
    again.cancel()
    // At its end, and with a clock that runs, a recording needs no receiver.
    #expect(stopped.waitForEnd())
    let running = RecordingSource(
      samples: restingSamples(count: 10), speed: 100, unheard: .runs, maximumSilence: 0.01)
    running.attach(Listener()).cancel()
    #expect(running.waitForEnd(timeout: 60))
  }

  @Test("an asynchronous wait ends with the recording, a timeout or the cancellation of its task")
  func asynchronousWait() async {
    let source = RecordingSource(samples: restingSamples(count: 100), speed: .infinity, isPaused: true)
    let (listener, attachment) = source.attachListener()
    #expect(await source.waitForEnd(timeout: 0.01) == false)
    let task = Task { await source.waitForEnd() }
    task.cancel()
    #expect(await task.value == false)
    source.resume()
    #expect(await source.waitForEnd(timeout: 60))
    #expect(listener.samples.count == 200)
    attachment.cancel()
  }

  @Test("the clock of a recording shows the playback position")
  func clock() {
    let source = RecordingSource(samples: restingSamples(count: 100, start: 5), speed: .infinity)
    #expect(source.time == 5)
    let attachment = source.attach(Listener())
    #expect(source.waitForEnd(timeout: 60))
    #expect(source.time == 5.99)
    attachment.cancel()
  }

  @Test("a receiver's pause, seek or detachment within a delivery takes effect immediately")
  func withinDelivery() {
    let source = RecordingSource(samples: restingSamples(count: 100), speed: .infinity)
    let listener = Listener { event in if case .samples(let samples) = event, samples[0].time >= 0.5 { source.pause() }
    }
    let attachment = source.attach(listener)
    #expect(listener.waitForSamples(102))
    #expect(listener.samples.last?.time == 0.5)
    // The listener has the sample shortly before it pauses the source.
    #expect(eventually { source.isPaused })
    source.seek(to: 0.895)
    #expect(source.position == 0.895)
    source.resume()
    #expect(listener.wait { $0.contains { if case .discontinuity = $0 { true } else { false } } })
    #expect(listener.waitForSamples(104))
    #expect(listener.samples.last?.time == 0.9)
    attachment.cancel()

    let box = AttachmentBox()
    let leaver = Listener { event in if case .samples = event { box.cancel() } }
    let other = RecordingSource(samples: restingSamples(count: 100), speed: .infinity, isPaused: true)
    box.set(other.attach(leaver))
    other.resume()
    #expect(leaver.waitForSamples(2))
    Thread.sleep(forTimeInterval: 0.01)
    #expect(leaver.samples.count == 2)
    // Playback continues there with the next receiver.
    let next = other.heard()
    #expect(next.samples.first?.time == 0.01 && next.samples.count == 198)
  }

  @Test("a receiver that attaches after the end is notified of it, and a seek restarts the playback")
  func again() {
    let source = RecordingSource(samples: restingSamples(count: 10), speed: .infinity)
    let (first, attachment) = source.attachListener()
    #expect(source.waitForEnd(timeout: 60))
    let (second, late) = source.attachListener()
    #expect(second.wait { !$0.isEmpty })
    #expect(second.endCount == 1 && second.samples.isEmpty)
    source.seek(to: .nan)
    #expect(source.waitForEnd(timeout: 60))
    #expect(first.samples.count == 40 && first.endCount == 2 && first.jumpCount == 1)
    #expect(second.samples.count == 20)
    attachment.cancel()
    late.cancel()
  }

  @Test("a gap in real time is reported as silence once")
  func silence() {
    let samples = restingSamples(count: 2) + restingSamples(count: 2, start: 1)
    let source = RecordingSource(samples: samples, maximumSilence: 0.03)
    let listener = source.heard()
    #expect(listener.silenceCount == 1 && listener.samples.count == 8)
  }

  @Test("after a cancellation from any thread, no event is delivered")
  func cancellation() {
    for _ in 0..<50 {
      let source = RecordingSource(samples: restingSamples(count: 2000), speed: .infinity)
      let (isOver, late) = (Flag(), Flag())
      let listener = Listener { _ in if isOver.isSet { late.set() } }
      let attachment = source.attach(listener)
      _ = listener.waitForSamples(10)
      attachment.cancel()
      isOver.set()
      attachment.cancel()
      #expect(!late.isSet && source.position < 20)
    }
  }

  @Test("a source and its receivers are deallocated when they are no longer referenced")
  func lifetime() {
    weak var weakSource: RecordingSource?
    weak var weakListener: Listener?
    do {
      let source = RecordingSource(samples: restingSamples(count: 1000))
      let (listener, attachment) = source.attachListener()
      _ = listener.waitForSamples(2)
      (weakSource, weakListener) = (source, listener)
      withExtendedLifetime(attachment) {}
    }
    // The thread releases its source when it detects that no receiver is attached.
    #expect(eventually { weakSource == nil && weakListener == nil })
  }

  @Test("an empty recording only has an end")
  func empty() {
    let source = RecordingSource(samples: [], speed: 1)
    let listener = source.heard()
    #expect(listener.events.count == 1 && source.times == 0...0 && source.channels.isEmpty)
  }

  @Test("an unsorted log is played in the order of a batch run, with its other channels and its declination")
  func log() throws {
    let text = """
      time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,pressure
      0.02,0,0,-1,0,0,0,101.3
      0.00,0,0,-1,0,0,0,
      5.00,0,0,-1,0,0,0,101.2
      0.01,0,0,-1,0,0,99999,

      """ + (1...150).map { "\(5 + Double($0) / 100),0,0,-1,0,0,0,\n" }.joined()
    let folder = TemporaryFolder()
    let path = folder.write(text, to: "log.csv")
    let source = try RecordingSource(path: path, speed: .infinity)
    let listener = source.heard()
    func times(_ channel: SensorChannel) -> [Double] { listener.samples.filter { $0.channel == channel }.map(\.time) }
    #expect(times(.accelerometer).prefix(4) == [0, 0.01, 0.02, 5] && times(.accelerometer).count == 154)
    #expect(times(.gyroscope).prefix(3) == [0, 0.02, 5] && times(.gyroscope).count == 153)
    #expect(source.warnings.contains { $0.contains("1 sample infinite or impossible") })
    #expect(listener.auxiliary.map { $0["pressure"] } == [101.3, 101.2])
    #expect(source.declination == nil && source.name == path)
    #expect(throws: LogError.self) { try RecordingSource(path: path + ".none") }
  }
}

extension RecordingSource {
  /// Plays the recording to its end, and returns a receiver of all of it.
  fileprivate func heard() -> Listener {
    let (listener, attachment) = attachListener()
    #expect(waitForEnd(timeout: 60))
    attachment.cancel()
    return listener
  }
}

/// The arrival times of samples.
private final class Arrivals: @unchecked Sendable {
  private let monitor = Monitor()
  private var kept: [(time: Double, arrival: Double)] = []
  func note(_ time: Double) { monitor.withLock { kept.append((time, MonotonicClock.now)) } }
  var all: [(time: Double, arrival: Double)] { monitor.withLock { kept } }
}

private final class AttachmentBox: @unchecked Sendable {
  private let monitor = Monitor()
  private var attachment: SensorAttachment?
  func set(_ attachment: SensorAttachment) { monitor.withLock { self.attachment = attachment } }
  func cancel() { monitor.withLock { attachment }?.cancel() }
}

final class Flag: @unchecked Sendable {
  private let monitor = Monitor()
  private var value = false
  func set() { monitor.withLock { value = true } }
  var isSet: Bool { monitor.withLock { value } }
}
