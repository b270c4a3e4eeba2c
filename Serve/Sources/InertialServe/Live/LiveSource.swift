internal import InertialEssentials
internal import InertialLive
internal import InertialLogs
internal import InertialSensors
internal import InertialSystem

/// A source in addition to the phones that push: a recording that is played, or lines of samples.
struct LiveSource: Sendable {
  enum Kind: Sendable {
    /// A log, played at a multiple of its recorded speed; infinite: as fast as possible.
    case recording(path: String, speed: Double)
    case stream(StreamAddress, SenderPolicy)
    /// phyphox's remote interface, `phyphox://HOST:PORT`.
    case phyphox(host: String, port: UInt16)
    /// The Android app SensorServer, `ws://HOST:PORT`.
    case sensorServer(host: String, port: UInt16)

    /// Creates a source for a phone's own server from its URL, or returns `nil` for other URLs.
    init?(phone address: String) {
      guard let scheme = ["phyphox://", "ws://"].first(where: address.hasPrefix) else { return nil }
      var rest = address.dropFirst(scheme.count)
      while rest.last == "/" { rest = rest.dropLast() }
      guard !rest.isEmpty, !rest.contains("/") else { return nil }
      // Both apps use port 8080 on Android; on iOS, phyphox displays its own.
      var port: UInt16 = 8080
      if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
        guard let number = UInt16(rest[rest.index(after: colon)...]) else { return nil }
        (port, rest) = (number, rest[..<colon])
      }
      if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
      self =
        scheme == "ws://" ? .sensorServer(host: String(rest), port: port) : .phyphox(host: String(rest), port: port)
    }
  }

  private let kind: Kind
  private var options: LogOptions
  /// The maximum number of messages in transit to the server.
  private static let maximumPending = 32

  init(_ kind: Kind, options: LogOptions) {
    self.kind = kind
    self.options = options
    self.options.auxiliary = SampleMessages.auxiliaryChannels
    self.options.auxiliary = self.options.withCalibrationChannels.auxiliary
    // The server rotates and calibrates the samples of every source, and records them unchanged.
    (self.options.axes, self.options.calibration) = ([], nil)
  }

  /// Sends the source's samples to the server, on a dedicated thread.
  ///
  /// - Parameter done: A closure that is called with the error message, or `nil` if the source has ended normally.
  func start(_ server: LiveServer, done: @escaping @Sendable (String?) -> Void) {
    DetachedThread.start {
      do throws(LogError) {
        switch kind {
        case .recording(let path, let speed): try play(path, speed, server)
        case .stream(let address, let admission): try listen(address, admission, server)
        case .phyphox(let host, let port):
          var phone: Phyphox?
          defer { phone?.outlet.finish() }
          try keepConnected(to: host) { () throws(WebError) in try poll(&phone, host, port, server) }
        case .sensorServer(let host, let port):
          try keepConnected(to: host) { () throws(WebError) in try receive(host, port, server) }
        }
        done(nil)
      } catch {
        done(error.description)
      }
    }
  }

  private func play(_ path: String, _ speed: Double, _ server: LiveServer) throws(LogError) {
    var outlet: Outlet?
    var pending: [AuxiliarySample] = []
    var clock: (begun: Double, first: Double)?
    func waitForTurn(_ time: Double) {
      let begun = clock ?? (MonotonicClock.now, time)
      clock = begun
      if speed.isFinite { Self.pause(until: begun.begun + (time - begun.first) / speed) }
    }
    _ = try LogFeed(path: path, options: options).run(
      start: { (description) throws(LogError) in
        outlet = Outlet(server, device: path.lastPathPart, epoch: description.epoch.flatMap { $0 > 0 ? $0 : nil })
      },
      auxiliary: { (samples) throws(LogError) in pending += samples },
      consume: { (samples) throws(LogError) in
        outlet?.send(samples, auxiliary: pending, before: waitForTurn)
        pending = []
      })
    outlet?.finish()
  }

  private func listen(_ address: StreamAddress, _ admission: SenderPolicy, _ server: LiveServer) throws(LogError) {
    while true {
      let stream = try SampleStream(address, options: options, admission: admission)
      let outlet = Outlet(server, device: stream.name)
      var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
      var outcome: SampleStream.Outcome
      repeat {
        (motion, auxiliary) = ([], [])
        outcome = try stream.read(into: &motion, auxiliary: &auxiliary, timeout: SampleMessages.span)
        outlet.send(motion, auxiliary: auxiliary)
        if outcome != .line { outlet.flush() }
      } while outcome != .end && outcome != .interrupted
      outlet.finish()
      // A sender may connect again.
      guard outcome == .end, case .tcp(_, let port) = address, port > 0 else { return }
    }
  }

  /// Reconnects to a phone that stops responding for a while; a phone that never responds is an error.
  private func keepConnected(to host: String, _ read: () throws(WebError) -> Bool) throws(LogError) {
    var hasAnswered = false
    var failures = 0
    while failures < 30 {
      do throws(WebError) {
        if try read() { (hasAnswered, failures) = (true, 0) }
      } catch {
        failures += 1
        guard hasAnswered, failures < 30 else {
          throw LogError(path: host, problem: error.description, remedy: "try again when the phone is reachable")
        }
      }
      Self.pause(until: MonotonicClock.now + 1)
    }
  }

  /// A phone with phyphox, and whether the next measurements begin a session.
  private typealias Phyphox = (poll: PhyphoxPoll, outlet: Outlet, begins: Bool)

  /// Polls phyphox until it stops responding, after the last measurement if it has responded before.
  ///
  /// - Returns: Whether it has responded.
  private func poll(
    _ phone: inout Phyphox?, _ host: String, _ port: UInt16, _ server: LiveServer
  ) throws(WebError) -> Bool {
    var current: Phyphox
    if let phone {
      current = phone
    } else {
      current = (try PhyphoxPoll(host: host, port: port), Outlet(server, device: "phyphox \(host)"), true)
    }
    defer { phone = current }
    var hasAnswered = false
    while true {
      let next: (samples: [SensorSample], isNew: Bool)
      do throws(WebError) { next = try current.poll.next() } catch {
        guard hasAnswered else { throw error }
        return true
      }
      hasAnswered = true
      if next.isNew { current.begins = true }
      if current.begins, let newest = next.samples.last {
        // The experiment may have run for long: its newest measurement is now.
        current.outlet.beginSession(epoch: LiveHub.unixTime - newest.time)
        current.begins = false
      }
      current.outlet.send(next.samples)
      current.outlet.flush()
      Self.pause(until: MonotonicClock.now + (current.poll.isMeasuring ? SampleMessages.span : 0.5))
    }
  }

  /// Receives from SensorServer until it ends.
  ///
  /// - Returns: Whether a message has been received.
  private func receive(_ host: String, _ port: UInt16, _ server: LiveServer) throws(WebError) -> Bool {
    let socket = try WebSocketClient(host: host, port: port, path: SensorServerMessage.path)
    let outlet = Outlet(server, device: "SensorServer \(host)")
    defer { outlet.finish() }
    var hasSample = false
    while true {
      let text: [UInt8]?
      do throws(WebError) { text = try socket.next() } catch {
        if !hasSample { throw error }
        break
      }
      guard let text else { break }
      guard let sample = (try? JSONDecoder().decode(SensorServerMessage.self, from: Data(text)))?.sample else {
        continue
      }
      hasSample = true
      outlet.send([sample])
    }
    return hasSample
  }

  private static func pause(until time: Double) {
    let monitor = Monitor()
    monitor.lock()
    while MonotonicClock.now < time { monitor.wait(until: time) }
    monitor.unlock()
  }

  /// Sends samples to the server in messages, with a limited number in transit.
  private final class Outlet: @unchecked Sendable {
    private let server: LiveServer
    private let device: String
    private var messages: SampleMessages
    private let monitor = Monitor()
    /// The number of messages in transit, under the monitor's lock.
    private var count = 0

    init(_ server: LiveServer, device: String, epoch: Double? = nil) {
      (self.server, self.device) = (server, device)
      messages = SampleMessages(device: device, session: UUID().uuidString, epoch: epoch)
    }

    /// Begins a new session: the next samples do not continue the previous ones.
    ///
    /// - Parameter epoch: The UNIX time of their time 0.
    func beginSession(epoch: Double) {
      messages = SampleMessages(device: device, session: UUID().uuidString, epoch: epoch)
    }

    /// Sends the messages that the samples complete, each after a call of `before` with the time
    /// of the sample that follows it.
    func send(_ motion: [SensorSample], auxiliary: [AuxiliarySample] = [], before: (Double) -> Void = { _ in }) {
      for (time, body) in messages.add(motion, auxiliary: auxiliary) {
        before(time)
        send(body)
      }
    }

    /// Sends the samples that have not completed a message.
    func flush() { if let body = messages.finish() { send(body) } }

    /// Sends the remaining samples and waits until the server has received all messages.
    func finish() {
      flush()
      monitor.lock()
      while count > 0 { monitor.wait() }
      monitor.unlock()
    }

    private func send(_ body: [UInt8]) {
      monitor.lock()
      while count >= LiveSource.maximumPending { monitor.wait() }
      count += 1
      monitor.unlock()
      server.receive(body) { [self] in
        monitor.withLock {
          count -= 1
          monitor.broadcast()
        }
      }
    }
  }
}
