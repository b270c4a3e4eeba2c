internal import Essentials
internal import LiveSensors
package import MotionLogs
internal import Sensors
internal import SystemLibrary

/// A source beside the phones that push: a recording played, or lines of samples.
package struct LiveSource: Sendable {
  package enum Kind: Sendable {
    /// A log at so many times its own speed; infinite: as quickly as it goes.
    case recording(path: String, speed: Double)
    case stream(StreamAddress, StreamAdmission)
  }

  private let kind: Kind
  private var options: LogOptions
  /// Messages that are on their way to the server at a time.
  private static let most = 32

  package init(_ kind: Kind, options: LogOptions) {
    self.kind = kind
    self.options = options
    self.options.auxiliary = [.barometer]
  }

  /// Has the server take what the source gives, on a thread of its own.
  ///
  /// - Parameter done: called with what went wrong, or nil where the source has ended.
  package func start(_ server: LiveServer, done: @escaping @Sendable (String?) -> Void) {
    DetachedThread.start {
      do throws(LogError) {
        switch kind {
        case .recording(let path, let speed): try play(path, speed, server)
        case .stream(let address, let admission): try listen(address, admission, server)
        }
        done(nil)
      } catch {
        done(error.description)
      }
    }
  }

  private func play(_ path: String, _ speed: Double, _ server: LiveServer) throws(LogError) {
    let outlet = Outlet(server)
    var messages: SampleMessages?
    var waiting: [AuxiliarySample] = []
    var clock: (begun: Double, first: Double)?
    func send(_ time: Double, _ body: [UInt8]) {
      let begun = clock ?? (MonotonicClock.now, time)
      clock = begun
      if speed.isFinite { outlet.wait(until: begun.begun + (time - begun.first) / speed) }
      outlet.send(body)
    }
    _ = try LogFeed(path: path, options: options).run(
      start: { (description) throws(LogError) in
        messages = SampleMessages(
          device: path.lastPathPart, session: UUID().uuidString, epoch: description.epoch.flatMap { $0 > 0 ? $0 : nil })
      },
      auxiliary: { (samples) throws(LogError) in waiting += samples },
      consume: { (samples) throws(LogError) in
        for (time, body) in messages?.add(samples, auxiliary: waiting) ?? [] { send(time, body) }
        waiting = []
      })
    if let body = messages?.finish() { outlet.send(body) }
    outlet.finish()
  }

  private func listen(_ address: StreamAddress, _ admission: StreamAdmission, _ server: LiveServer) throws(LogError) {
    let stream = try SampleStream(address, options: options, admission: admission)
    let outlet = Outlet(server)
    var messages = SampleMessages(device: stream.name, session: UUID().uuidString, epoch: nil)
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    while true {
      (motion, auxiliary) = ([], [])
      let outcome = try stream.read(into: &motion, auxiliary: &auxiliary, timeout: SampleMessages.span)
      for (_, body) in messages.add(motion, auxiliary: auxiliary) { outlet.send(body) }
      if outcome != .line, let body = messages.finish() { outlet.send(body) }
      if outcome == .end || outcome == .interrupted { break }
    }
    outlet.finish()
  }

  /// Sends messages, a few at a time.
  private final class Outlet: @unchecked Sendable {
    private let server: LiveServer
    private let monitor = Monitor()
    private var count = 0

    init(_ server: LiveServer) { self.server = server }

    func send(_ body: [UInt8]) {
      monitor.lock()
      while count >= LiveSource.most { monitor.wait() }
      count += 1
      monitor.unlock()
      server.take(body) { [self] _ in
        monitor.withLock {
          count -= 1
          monitor.broadcast()
        }
      }
    }

    func wait(until time: Double) {
      monitor.lock()
      while MonotonicClock.now < time { monitor.wait(until: time) }
      monitor.unlock()
    }

    func finish() {
      monitor.lock()
      while count > 0 { monitor.wait() }
      monitor.unlock()
    }
  }
}
