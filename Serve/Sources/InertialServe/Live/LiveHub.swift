internal import InertialEssentials
internal import InertialFigures
internal import InertialFusion
internal import InertialJobs
internal import InertialLive
internal import InertialLogs
internal import InertialRecognition
internal import InertialRotations
internal import InertialSystem

/// Receives, records and fuses messages, and sends the results to readers. Used only by the server's thread.
final class LiveHub: WebService {
  let options: LiveOptions
  private let fusion: FusionOptions
  private let committer: Committer
  private var store: RecordingStore
  private var devices: [LiveDevice] = []
  private var deviceCount = 0
  private var sessions = SessionBook()
  /// The senders that wait until their device has fused most of their samples, by device.
  private var waiting: [(device: String, respond: () -> Void)] = []
  /// The first device of the next turn of fusion.
  private var turn = 0
  /// The time of a turn, in seconds.
  private static let turnTime = 0.003
  private var readers: [WebClient] = []
  /// The readers of samples, each with the name of its device, or `nil` before the first device sends.
  private var sampleReaders: [(client: WebClient, deviceName: String?)] = []
  /// The rows that have not been sent yet, by device.
  private var rows: [String: [Double]] = [:]
  private var lastBroadcastTime = 0.0
  private var lastStatusTime = 0.0
  private let reports: ReportGenerator
  private let lists: BackgroundQueue
  private let parser: BackgroundQueue
  private let page: LivePageRenderer
  /// The latest events, for pages that connect later.
  private var lastEvents: [String] = []
  private static let keptEvents = 100
  /// The refused messages: their number, the reason for the last one, and whether the readers do not have it yet.
  private var refusals = (count: 0, text: "", isNew: false)
  /// The maximum length of a reason, as it may quote the message.
  private static let maximumReasonLength = 300

  init(options: LiveOptions, server: WebServer, page: LivePageRenderer) throws(FusionError) {
    (self.options, self.page) = (options, page)
    fusion = try LiveColumns.applied(to: options.fusion)
    store = try RecordingStore(folder: options.folder)
    (lists, parser) = (BackgroundQueue(server), BackgroundQueue(server))
    reports = ReportGenerator(options: options.report, server: server)
    committer = Committer(server: server)
    // Options that a session would reject at its first message are rejected now.
    _ = try FusionStream(name: "stream", options: fusion)
    committer.reportFailure = { [weak self] file, failure in self?.abandon(file, failure) }
  }

  deinit { committer.end() }

  // MARK: Requests

  let socketPath = "/stream"

  func answer(_ request: WebRequest, path: String, client: WebClient) throws(WebResponse) -> WebAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let isRead = request.method == "GET" || request.method == "HEAD"
    switch (parts.first ?? "", parts.count) {
    case ("", 0...1) where isRead:
      guard path.isEmpty else { return .response(page.response(for: request)) }
      var response = WebResponse(303, "the page is at \(request.path)/")
      response.headers = [("Location", request.path + "/")]
      return .response(response)
    case ("push", 1) where request.method == "POST":
      do throws(WebResponse) {
        return try push(request.body, client)
      } catch {
        note(refusal: error)
        throw error
      }
    case ("recording", 1) where request.method == "POST": return try control(request, client)
    case ("events", 1) where request.method == "GET": return .events
    case ("samples", 1) where request.method == "GET":
      sampleReaders.append((client, request.queryValue(of: "device")))
      return .lines(type: "text/csv", first: WebMessage(SampleLines.header))
    case ("devices", 1) where isRead: return .response(.json(hello))
    case ("recordings", 1) where isRead: return list(for: client)
    case ("recordings", 2) where isRead: return .response(try download(parts[1]))
    case ("recordings", 3) where isRead && parts[2] == "report":
      return reports.make(of: try recordingPath(of: parts[1]), for: client)
    case ("", 1), ("push", 1), ("recording", 1), ("stream", 1), ("events", 1), ("samples", 1), ("devices", 1),
      ("recordings", 1...3):
      throw WebResponse(405, "\(request.method) is not supported at this address")
    default:
      throw WebResponse(404, "there is nothing at this address; send samples to push, open the page at /")
    }
  }

  private func push(_ body: [UInt8], _ client: WebClient) throws(WebResponse) -> WebAnswer {
    guard body.count > WebLimits.shortBody else {
      try record(try Self.message(body), body, client)
      return .later
    }
    // One at a time, so that the messages of other senders are processed between two long ones.
    parser.run {
      do throws(WebResponse) {
        return .success(try Self.message(body))
      } catch {
        return .failure(error)
      }
    } then: { [self] (result: Result<PushMessage, WebResponse>) in
      do throws(WebResponse) {
        try record(try result.get(), body, client)
      } catch {
        note(refusal: error)
        client.finish(error)
      }
    }
    return .later
  }

  /// Counts a message that was refused, for the readers.
  private func note(refusal: WebResponse) {
    let text = String(decoding: refusal.body, as: UTF8.self).trimmed()
    refusals = (refusals.count + 1, String(text.prefix(Self.maximumReasonLength)), true)
  }

  private var refusalMessage: WebMessage {
    WebMessage(
      LiveJSON.object([
        ("type", "\"refused\""), ("count", "\(refusals.count)"), ("text", LiveJSON.text(refusals.text)),
      ]))
  }

  private static func message(_ body: [UInt8]) throws(WebResponse) -> PushMessage {
    let message: PushMessage
    do throws(LogError) { message = try PushMessage(body: body, name: "push") } catch {
      throw WebResponse(400, error.description)
    }
    if let problem = message.timeProblem { throw WebResponse(400, problem) }
    return message
  }

  /// Records a message, and responds to its sender when it is on disk.
  private func record(_ message: PushMessage, _ body: [UInt8], _ client: WebClient) throws(WebResponse) {
    guard !client.isGone else { return }
    let (file, device) = try receive(message, body, from: client)
    guard let file else { return client.finish(WebResponse(200, "ok")) }
    committer.add(file) { [self] problem in
      if let problem { return client.finish(problem) }
      let respond = { client.finish(WebResponse(200, "ok")) }
      // The sender of many samples continues when they are fused, or nearly.
      if devices.contains(where: { $0.identifier == device && $0.isBehind }) {
        waiting.append((device, respond))
      } else {
        respond()
      }
    }
  }

  /// Records and fuses a message of a source, in Core Motion's units.
  ///
  /// - Parameter done: A closure that is called when the next message may be sent.
  func receive(_ body: [UInt8], done: @escaping () -> Void) {
    guard let message = try? Self.message(body), let (_, device) = try? receive(message, body, from: nil),
      devices.contains(where: { $0.identifier == device && $0.isBehind })
    else { return done() }
    waiting.append((device, done))
  }

  /// Records a message, and lets its device fuse it.
  ///
  /// - Parameter client: The sender, or `nil` for `LiveSource`, whose messages are in Core Motion's units.
  /// - Returns: The file to wait for until it is on disk, or `nil` if there is nothing to wait for, and the device.
  /// - Throws: The response to the sender if the message is refused or cannot be recorded.
  private func receive(
    _ message: PushMessage, _ body: [UInt8], from client: WebClient?
  ) throws(WebResponse) -> (file: RecordingFile?, device: String) {
    let now = MonotonicClock.now
    let index = try index(of: message, client, now)
    let device = devices[index].identifier
    devices[index].note(client, now: now)
    // The hash of an array takes one step per byte.
    let content = body.withUnsafeBytes { bytes in
      var hasher = Hasher()
      hasher.combine(bytes: bytes)
      return hasher.finalize()
    }
    let before = devices[index].known.file(of: content)
    if before != nil { devices[index].countRepetition() }
    if let before, !before.hasFailed { return (before, device) }
    guard !message.readings.isEmpty else { return (nil, device) }
    let file = try append(body, of: index)
    devices[index].known.remember(content, in: file)
    // A message that was fused before its file failed is recorded again, but not fused twice.
    guard before == nil else { return (file, device) }
    devices[index].receive(message, now: now)
    keep(devices[index].advance(), of: index)
    devices[index].noteDuration(MonotonicClock.now - now)
    return (file, device)
  }

  /// Appends a message to the recording of a device.
  private func append(_ body: [UInt8], of index: Int) throws(WebResponse) -> RecordingFile {
    do throws(RecordingFile.Failure) {
      return try store.append(body, of: devices[index], now: Self.unixTime)
    } catch {
      throw error.response
    }
  }

  /// Keeps the new rows of a device for the next `flush`, and forwards the samples and events that belong to them.
  private func keep(_ numbers: [Double], of index: Int) {
    forwardSamples(of: index)
    let device = devices[index].identifier
    rows[device, default: []] += numbers
    for event in devices[index].takeEvents(numbers) {
      deliver(event.kind.rawValue, from: event.start, to: event.end, event.text, of: device)
    }
  }

  /// Forwards the samples of the last fusion, unchanged.
  private func forwardSamples(of index: Int) {
    let samples = devices[index].takeSamples()
    guard !sampleReaders.isEmpty, !samples.motion.isEmpty || !samples.auxiliary.isEmpty else { return }
    let name = devices[index].name
    let message = WebMessage(SampleLines.text(samples.motion, samples.auxiliary))
    for reader in sampleReaders.indices where (sampleReaders[reader].deviceName ?? name) == name {
      sampleReaders[reader].deviceName = name
      sampleReaders[reader].client.send(message)
    }
  }

  /// Sends an event of a device to all readers; `start` and `end` are on the device's clock, in seconds.
  private func deliver(_ kind: String, from start: Double, to end: Double, _ text: String, of device: String) {
    let name = devices.first { $0.identifier == device }?.name ?? device
    let text = LiveJSON.object([
      ("type", "\"event\""), ("device", LiveJSON.text(device)), ("name", LiveJSON.text(name)),
      ("kind", LiveJSON.text(kind)),
      ("start", LiveJSON.number(start, digits: 6)), ("end", LiveJSON.number(end, digits: 6)),
      ("text", LiveJSON.text(text)),
    ])
    // The page counts steps next to the device.
    if kind != RecognisedEvent.Kind.step.rawValue { lastEvents.append(text) }
    if lastEvents.count > Self.keptEvents { lastEvents.removeFirst() }
    // An event's rows have to precede it.
    flush()
    send(text)
  }

  /// Returns the index of a message's session; creates a session if the device has started a new one.
  ///
  /// - Throws: The response to the sender if no further device can be connected.
  private func index(of message: PushMessage, _ client: WebClient?, _ now: Double) throws(WebResponse) -> Int {
    let key = SessionBook.Key(device: message.device, session: message.session)
    func isKnown(_ device: LiveDevice) -> Bool { device.name == key.device && device.session == key.session }
    if let index = devices.firstIndex(where: isKnown) { return index }
    let isReturning = sessions.contains(key)
    let peer = client?.peer ?? ""
    if !isReturning, let wait = sessions.begin(of: peer, now: now) {
      throw WebResponse(429, "too many new sessions; continue a session, or try again in \(wait) s")
    }
    try makePlace(for: key, isReturning: isReturning, peer, now)
    deviceCount += 1
    do throws(FusionError) {
      devices.append(
        try LiveDevice(
          identifier: "d\(deviceCount)", message: message, options: fusion, isConverted: client == nil,
          patience: options.patience, now: now))
    } catch {
      throw WebResponse(503, error.description)
    }
    let index = devices.count - 1
    devices[index].note(client, now: now)
    if let ended = sessions.take(key) {
      devices[index].known = ended.known
      devices[index].isContested = devices.contains { $0.name == key.device && $0.session != key.session }
      if let file = ended.file, !file.hasFailed { store.attach(file, to: devices[index]) }
    }
    // Readers receive the device's name before its rows.
    send(status(of: index, now))
    return index
  }

  /// Ends the sessions that a new one replaces: the previous one of the same device, unless it has continued since, and
  /// one that is least in use if there are too many.
  private func makePlace(
    for key: SessionBook.Key, isReturning: Bool, _ peer: String, _ now: Double
  ) throws(WebResponse) {
    if !isReturning {
      while let index = devices.firstIndex(where: { $0.name == key.device && !$0.isContested }) { remove(index) }
    }
    func leastUsed(_ isCandidate: (LiveDevice) -> Bool) -> Int? {
      devices.indices.filter { isCandidate(devices[$0]) }.min { devices[$0].lastArrival < devices[$1].lastArrival }
    }
    let siblings = devices.count { $0.name == key.device }
    if siblings >= LiveOptions.maximumSessionCount, let index = leastUsed({ $0.name == key.device }) { remove(index) }
    let counts: [String: Int] = devices.reduce(into: [:]) { $0[$1.peer, default: 0] += 1 }
    let isCrowd = counts[peer, default: 0] >= LiveOptions.maximumDeviceCountPerAddress
    guard isCrowd || devices.count >= LiveOptions.maximumDeviceCount else { return }
    let crowd = isCrowd ? peer : counts.max { $0.value < $1.value }?.key ?? peer
    let ofConnections: [ObjectIdentifier?: Int] = devices.reduce(into: [:]) { $0[$1.connection, default: 0] += 1 }
    func isCrowded(_ device: LiveDevice) -> Bool {
      ofConnections[device.connection, default: 0] > LiveOptions.maximumDeviceCountPerConnection
    }
    // Of the senders themselves, nothing is known: one that has sent little, or with too many devices, is replaced.
    let place =
      leastUsed { $0.peer == crowd && now - $0.lastArrival > LiveOptions.maximumSilence }
      ?? leastUsed { $0.peer == crowd && ($0.messageCount < 50 || isCrowded($0)) }
      ?? (crowd == peer ? nil : leastUsed { $0.peer == crowd })
    guard let place else {
      throw WebResponse(503, "\(devices.count) devices are already connected; stop one and try again in a minute")
    }
    remove(place)
  }

  /// Ends the session of a device. If it continues, it continues its recording.
  private func remove(_ index: Int) {
    keep(devices[index].finish(), of: index)
    flush()
    let device = devices[index]
    let file = store.detach(device)
    if let file, file.size > file.committedSize { committer.add(file) }
    sessions.keep(.init(file: file, known: device.known), as: .init(device: device.name, session: device.session))
    send(LiveJSON.object([("type", "\"gone\""), ("device", LiveJSON.text(device.identifier))]))
    devices.remove(at: index)
  }

  // MARK: Recordings

  private func control(_ request: WebRequest, _ client: WebClient) throws(WebResponse) -> WebAnswer {
    // A form on another site cannot send this content type.
    guard request.header("content-type")?.lowercased().hasPrefix("application/json") == true else {
      throw WebResponse(415, "send application/json")
    }
    guard let command = RecordingCommand(body: request.body) else {
      throw WebResponse(
        400,
        #"send {"action": "start", "name", "label"}, {"action": "stop"} or {"action": "mark", "text"}"#)
    }
    switch command {
    case .start(let name, let label):
      guard store.title == nil else { throw WebResponse(409, "a recording is in progress; stop it first") }
      store.begin(.init(name: name, label: label, begun: Self.unixTime))
      sessions.closeFiles()
    case .stop:
      guard store.title != nil else { throw WebResponse(409, "no recording is in progress") }
      store.end()
      sessions.closeFiles()
    case .mark(let text):
      guard !devices.isEmpty else {
        throw WebResponse(409, "a mark needs the time of a device, and no device is connected")
      }
      var (count, problem) = (1, WebResponse?.none)
      func finish(_ response: WebResponse?) {
        count -= 1
        problem = problem ?? response
        if count == 0 { client.finish(problem ?? noteRecording()) }
      }
      for index in devices.indices {
        do throws(WebResponse) {
          if try mark(text, index, done: finish) { count += 1 }
        } catch {
          problem = problem ?? error
        }
      }
      finish(nil)
      return .later
    }
    return .response(noteRecording())
  }

  /// Sends the state of the recording to the readers, and returns it as a response.
  private func noteRecording() -> WebResponse {
    send(LiveJSON.object([("type", "\"recording\""), ("recording", store.state)]))
    return .json(LiveJSON.object([("recording", store.state)]))
  }

  /// Adds a mark to a device's recording, at a time of the device's clock.
  ///
  /// - Parameter done: A closure that is called when the mark is on disk, with the response if it may be lost.
  /// - Returns: Whether the device has a time, and the closure will be called.
  private func mark(
    _ text: String, _ index: Int, done: @escaping (WebResponse?) -> Void
  ) throws(WebResponse) -> Bool {
    guard let newest = devices[index].newestStamp, let origin = devices[index].origin else { return false }
    let silence = MonotonicClock.now - devices[index].lastArrival
    guard let stamp = unixNanoseconds(newest, plus: min(silence, 60)) else { return false }
    var writer = PushMessageWriter()
    writer.add(mark: text, time: stamp)
    let file = try append(writer.mark(session: devices[index].session, device: devices[index].name), of: index)
    let (time, device) = (timestampDifference(from: origin, to: stamp) / 1e9, devices[index].identifier)
    committer.add(file) { [self] problem in
      if problem == nil { deliver("mark", from: time, to: time, text, of: device) }
      done(problem)
    }
    return true
  }

  /// Closes a file that could not be stored, and reports the failure with the status of its device.
  private func abandon(_ file: RecordingFile, _ failure: RecordingFile.Failure) {
    for index in devices.indices where store.file(of: devices[index]) === file {
      devices[index].report(problem: failure.text)
    }
    store.abandon(file)
  }

  private func recordingPath(of name: String) throws(WebResponse) -> String {
    guard let path = store.path(of: name) else { throw WebResponse(404, "there is no such recording") }
    return path
  }

  private func download(_ name: String) throws(WebResponse) -> WebResponse {
    guard let file = WebFile(path: try recordingPath(of: name)) else {
      throw WebResponse(404, "there is no such recording")
    }
    var response = WebResponse(file, type: "application/x-ndjson")
    response.headers = [("Content-Disposition", "attachment; filename=\"\(name)\"")]
    return response
  }

  private func list(for client: WebClient) -> WebAnswer {
    lists.run(store.list) { client.finish(.json($0)) }
    return .later
  }

  // MARK: Readers

  func didConnect(_ client: WebClient) {
    readers.append(client)
    client.send(WebMessage(hello))
    let now = MonotonicClock.now
    for index in devices.indices { client.send(WebMessage(status(of: index, now))) }
    for event in lastEvents { client.send(WebMessage(event)) }
    if refusals.count > 0 { client.send(refusalMessage) }
  }

  func didDisconnect(_ client: WebClient) {
    readers.removeAll { $0 === client }
    sampleReaders.removeAll { $0.client === client }
    reports.forget(client)
  }

  /// Returns the state of a device as JSON.
  private func status(of index: Int, _ now: Double) -> String {
    devices[index].status(now: now, unixTime: Self.unixTime, recording: store.file(of: devices[index])?.name)
  }

  private var hello: String {
    let columns = zip(LiveColumns.names, fusion.columns).map { name, column in
      LiveJSON.object([("name", LiveJSON.text(name)), ("unit", LiveJSON.text(column.unit))])
    }
    let known = devices.map { device in
      LiveJSON.object([
        ("device", LiveJSON.text(device.identifier)), ("name", LiveJSON.text(device.name)),
        ("session", LiveJSON.text(device.session)),
        ("epoch", device.origin.map { LiveJSON.number(Double($0) / 1e9, digits: 6) } ?? "null"),
      ])
    }
    return LiveJSON.object([
      ("type", "\"hello\""), ("schema", "\"inertial-live\""), ("version", "1"),
      ("tool", LiveJSON.text(ToolVersion.current)), ("filter", LiveJSON.text(fusion.filter)),
      ("frame", LiveJSON.text(fusion.motion.frame.name)),
      ("columns", "[\(columns.joined(separator: ","))]"), ("devices", "[\(known.joined(separator: ","))]"),
      ("activities", "[\(ActivityClass.allCases.map { LiveJSON.text($0.rawValue) }.joined(separator: ","))]"),
      ("recording", store.state),
    ])
  }

  private func send(_ text: String) {
    guard !readers.isEmpty else { return }
    let message = WebMessage(text)
    for reader in readers { reader.send(message) }
  }

  /// Sends the pending rows.
  private func flush() {
    lastBroadcastTime = MonotonicClock.now
    for device in devices {
      guard let numbers = rows[device.identifier], !numbers.isEmpty else { continue }
      rows[device.identifier]?.removeAll(keepingCapacity: true)
      guard !readers.isEmpty else { continue }
      send(
        LiveJSON.object([
          ("type", "\"rows\""), ("device", LiveJSON.text(device.identifier)),
          ("sent", LiveJSON.number(Self.unixTime * 1000, digits: 3)),
          ("rows", "[\(LiveJSON.rows(numbers, width: LiveColumns.names.count))]"),
        ]))
    }
    rows = rows.filter { entry in devices.contains { $0.identifier == entry.key } }
  }

  // MARK: Time

  func sendDueMessages() -> Double {
    let now = MonotonicClock.now
    for index in devices.indices {
      guard let deadline = devices[index].deadline, deadline <= now else { continue }
      devices[index].release(now: now)
    }
    var next = advance(now) ? 0 : 0.5
    if rows.values.contains(where: { !$0.isEmpty }) {
      let due = lastBroadcastTime + LiveOptions.pace - now
      if due <= 0 { flush() } else { next = min(next, due) }
    }
    if now - lastStatusTime >= 1 {
      lastStatusTime = now
      while let index = devices.firstIndex(where: {
        $0.isContested && now - $0.lastArrival > LiveOptions.maximumSilence
      }) {
        remove(index)
      }
      for index in devices.indices {
        send(status(of: index, now))
        // Messages of a source, which does not wait for a response, are committed at most a second later.
        guard let file = store.file(of: devices[index]), file.size > file.committedSize else { continue }
        committer.add(file)
      }
      if refusals.isNew {
        refusals.isNew = false
        for reader in readers { reader.send(refusalMessage) }
      }
      for reader in readers where reader.leftOutCount > 0 {
        reader.send(WebMessage(LiveJSON.object([("type", "\"leftOut\""), ("messages", "\(reader.leftOutCount)")])))
      }
    }
    committer.commit()
    for deadline in devices.compactMap(\.deadline) { next = min(next, max(0, deadline - now)) }
    return next
  }

  /// Fuses waiting samples of all devices for a short time, and returns whether more wait.
  private func advance(_ now: Double) -> Bool {
    while MonotonicClock.now - now < Self.turnTime, devices.contains(where: \.hasBacklog) {
      turn = (turn + 1) % devices.count
      if devices[turn].hasBacklog { keep(devices[turn].advance(), of: turn) }
    }
    if !waiting.isEmpty {
      let behind = Set(devices.filter(\.isBehind).map(\.identifier))
      let ready = waiting.filter { !behind.contains($0.device) }
      waiting.removeAll { !behind.contains($0.device) }
      for entry in ready { entry.respond() }
    }
    return devices.contains(where: \.hasBacklog)
  }

  func end() {
    for index in devices.indices { keep(devices[index].finish(), of: index) }
    flush()
    store.unlock()
  }

  static var unixTime: Double { Date().timeIntervalSince1970 }
}
