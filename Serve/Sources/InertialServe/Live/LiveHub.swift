internal import InertialEssentials
internal import InertialFigures
internal import InertialFusion
internal import InertialJobs
internal import InertialLive
internal import InertialLogs
internal import InertialRecognition
internal import InertialRotations

/// Receives, records and fuses messages, and sends the results to readers. Used only by the server's thread.
final class LiveHub: WebService {
  let options: LiveOptions
  private let fusion: FusionOptions
  private let committer: Committer
  private var store: RecordingStore
  private var devices: [LiveDevice] = []
  private var deviceCount = 0
  private var readers: [WebClient] = []
  /// The readers of samples, each with the name of its device, or `nil` before the first device sends.
  private var sampleReaders: [(client: WebClient, deviceName: String?)] = []
  /// The rows that have not been sent yet, by device.
  private var rows: [String: [Double]] = [:]
  private var lastBroadcastTime = 0.0
  private var lastStatusTime = 0.0
  private let reports: ReportGenerator
  private let page: LivePageRenderer
  /// The latest events, for pages that connect later.
  private var lastEvents: [String] = []
  private static let keptEvents = 100

  init(options: LiveOptions, server: WebServer, page: LivePageRenderer) throws(FusionError) {
    (self.options, self.page) = (options, page)
    fusion = try LiveColumns.applied(to: options.fusion)
    store = RecordingStore(folder: options.folder)
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
    case ("push", 1) where request.method == "POST": return try push(request.body, client)
    case ("recording", 1) where request.method == "POST": return .response(try control(request))
    case ("events", 1) where request.method == "GET": return .events
    case ("samples", 1) where request.method == "GET":
      sampleReaders.append((client, request.queryValue(of: "device")))
      return .lines(type: "text/csv", first: WebMessage(SampleLines.header))
    case ("devices", 1) where isRead: return .response(.json(hello))
    case ("recordings", 1) where isRead: return .response(.json(store.list))
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
    guard let file = try receive(body) else { return .response(WebResponse(200, "ok")) }
    committer.add(file, for: client)
    return .later
  }

  /// Records and fuses a message.
  ///
  /// - Parameter isConverted: Whether `LiveSource` has created the message, in Core Motion's units.
  /// - Returns: The file to wait for until it is on disk, or `nil` if there is nothing to wait for.
  /// - Throws: The response to the sender if the message is refused or cannot be recorded.
  func receive(_ body: [UInt8], isConverted: Bool = false) throws(WebResponse) -> RecordingFile? {
    let message: PushMessage
    do throws(LogError) { message = try PushMessage(body: body, name: "push") } catch {
      throw WebResponse(400, error.description)
    }
    let now = MonotonicClock.now
    if let problem = message.timeProblem { throw WebResponse(400, problem) }
    let index = try index(of: message, isConverted: isConverted, now)
    let content = body.hashValue
    let before = devices[index].file(of: message, content: content)
    if before != nil { devices[index].countRepetition() }
    if let before, !before.hasFailed { return before }
    guard !message.readings.isEmpty else { return nil }
    let file = try append(body, of: index)
    devices[index].remember(message, content: content, in: file)
    // A message that was fused before its file failed is recorded again, but not fused twice.
    guard before == nil else { return file }
    keep(devices[index].receive(message, now: now), of: index)
    devices[index].noteDuration(MonotonicClock.now - now)
    return file
  }

  /// Appends a message to the recording of a device.
  private func append(_ body: [UInt8], of index: Int) throws(WebResponse) -> RecordingFile {
    do throws(RecordingFile.Failure) {
      return try store.append(body, of: devices[index], now: Self.timeOfDay)
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
    let text = LiveJSON.object([
      ("type", "\"event\""), ("device", LiveJSON.text(device)), ("kind", LiveJSON.text(kind)),
      ("start", LiveJSON.number(start, digits: 6)), ("end", LiveJSON.number(end, digits: 6)),
      ("text", LiveJSON.text(text)),
    ])
    lastEvents.append(text)
    if lastEvents.count > Self.keptEvents { lastEvents.removeFirst() }
    // An event's rows have to precede it.
    flush()
    send(text)
  }

  /// Returns the index of a message's session; creates a session if the device has started a new one.
  ///
  /// - Throws: The response to the sender if no further device can be connected.
  private func index(of message: PushMessage, isConverted: Bool, _ now: Double) throws(WebResponse) -> Int {
    if let index = devices.firstIndex(where: { $0.name == message.device }) {
      if devices[index].session == message.session { return index }
      remove(index)
    } else if devices.count >= LiveOptions.maximumDeviceCount {
      guard let oldest = devices.indices.min(by: { devices[$0].lastArrival < devices[$1].lastArrival }),
        now - devices[oldest].lastArrival > LiveOptions.maximumSilence
      else {
        throw WebResponse(503, "\(devices.count) devices are already connected; stop one and try again in a minute")
      }
      remove(oldest)
    }
    deviceCount += 1
    do throws(FusionError) {
      devices.append(
        try LiveDevice(
          identifier: "d\(deviceCount)", message: message, options: fusion, isConverted: isConverted,
          patience: options.patience, now: now))
    } catch {
      throw WebResponse(503, error.description)
    }
    // Readers receive the device's name before its rows.
    send(status(of: devices.count - 1, now))
    return devices.count - 1
  }

  /// Ends the session of a device.
  private func remove(_ index: Int) {
    keep(devices[index].finish(), of: index)
    flush()
    store.close(devices[index])
    send(LiveJSON.object([("type", "\"gone\""), ("device", LiveJSON.text(devices[index].identifier))]))
    devices.remove(at: index)
  }

  // MARK: Recordings

  private func control(_ request: WebRequest) throws(WebResponse) -> WebResponse {
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
      store.begin(.init(name: name, label: label, begun: Self.timeOfDay))
    case .stop:
      guard store.title != nil else { throw WebResponse(409, "no recording is in progress") }
      store.end()
    case .mark(let text):
      guard !devices.isEmpty else {
        throw WebResponse(409, "a mark needs the time of a device, and no device is connected")
      }
      for index in devices.indices { try mark(text, index) }
    }
    send(LiveJSON.object([("type", "\"recording\""), ("recording", store.state)]))
    return .json(LiveJSON.object([("recording", store.state)]))
  }

  /// Adds a mark to a device's recording, at a time of the device's clock.
  private func mark(_ text: String, _ index: Int) throws(WebResponse) {
    guard let newest = devices[index].newestStamp, let origin = devices[index].origin else { return }
    let silence = MonotonicClock.now - devices[index].lastArrival
    guard let stamp = unixNanoseconds(newest, plus: min(silence, 60)) else { return }
    var writer = PushMessageWriter()
    writer.add(mark: text, time: stamp)
    let file = try append(writer.mark(session: devices[index].session, device: devices[index].name), of: index)
    if let failure = file.synchronize(upTo: file.size) {
      store.abandon(file)
      throw failure.response
    }
    let time = timestampDifference(from: origin, to: stamp) / 1e9
    deliver("mark", from: time, to: time, text, of: devices[index].identifier)
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
    guard let data = FileManager.default.contents(atPath: try recordingPath(of: name)) else {
      throw WebResponse(404, "there is no such recording")
    }
    var response = WebResponse(200, type: "application/x-ndjson", body: Array(data))
    response.headers = [("Content-Disposition", "attachment; filename=\"\(name)\"")]
    return response
  }

  // MARK: Readers

  func didConnect(_ client: WebClient) {
    readers.append(client)
    client.send(WebMessage(hello))
    let now = MonotonicClock.now
    for index in devices.indices { client.send(WebMessage(status(of: index, now))) }
    for event in lastEvents { client.send(WebMessage(event)) }
  }

  func didDisconnect(_ client: WebClient) {
    readers.removeAll { $0 === client }
    sampleReaders.removeAll { $0.client === client }
    committer.forget(client)
    reports.forget(client)
  }

  /// Returns the state of a device as JSON.
  private func status(of index: Int, _ now: Double) -> String {
    devices[index].status(now: now, timeOfDay: Self.timeOfDay, recording: store.file(of: devices[index])?.name)
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
          ("sent", LiveJSON.number(Self.timeOfDay * 1000, digits: 3)),
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
      keep(devices[index].release(now: now), of: index)
    }
    var next = 0.5
    if rows.values.contains(where: { !$0.isEmpty }) {
      let due = lastBroadcastTime + LiveOptions.pace - now
      if due <= 0 { flush() } else { next = min(next, due) }
    }
    if now - lastStatusTime >= 1 {
      lastStatusTime = now
      for index in devices.indices {
        send(status(of: index, now))
        // Messages of a source, which does not wait for a response, are committed at most a second later.
        guard let file = store.file(of: devices[index]), file.size > file.committedSize else { continue }
        committer.add(file, for: nil)
      }
      for reader in readers where reader.leftOutCount > 0 {
        reader.send(WebMessage(LiveJSON.object([("type", "\"leftOut\""), ("messages", "\(reader.leftOutCount)")])))
      }
    }
    committer.commit()
    for deadline in devices.compactMap(\.deadline) { next = min(next, max(0, deadline - now)) }
    return next
  }

  func end() {
    for index in devices.indices { keep(devices[index].finish(), of: index) }
    flush()
  }

  static var timeOfDay: Double { Date().timeIntervalSince1970 }
}
