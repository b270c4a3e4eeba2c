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
  private let server: WebServer
  private let committer = Committer()
  private var store: RecordingStore
  private var devices: [LiveDevice] = []
  private var deviceCount = 0
  private var readers: [WebClient] = []
  /// The readers of samples, each with the name of its device, or `nil` before the first device sends.
  private var sampleReaders: [(client: WebClient, device: String?)] = []
  /// The rows that have not been sent yet, by device.
  private var rows: [String: [Double]] = [:]
  private var lastBroadcastTime = 0.0
  private var lastStatus = 0.0
  /// The clients that wait for the disk, each with a file and its size.
  private var pending: [(client: WebClient?, file: RecordingFile, size: Int)] = []
  private var isCommitting = false
  private let reports: ReportGenerator
  private let page: LivePageRenderer
  /// The latest events, for pages that connect later.
  private var lastEvents: [String] = []
  private static let keptEvents = 100

  init(options: LiveOptions, server: WebServer, page: LivePageRenderer) throws(FusionError) {
    (self.options, self.server, self.page) = (options, server, page)
    fusion = try LiveColumns.applied(to: options.fusion)
    store = RecordingStore(folder: options.folder)
    reports = ReportGenerator(options: options.report, server: server)
    // Options that a session would reject at its first message are rejected now.
    _ = try FusionStream(name: "stream", options: fusion)
  }

  deinit { committer.end() }

  // MARK: Requests

  let socketPath = "/stream"

  func answer(_ request: WebRequest, path: String, client: WebClient) -> WebAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let isRead = request.method == "GET" || request.method == "HEAD"
    switch (parts.first ?? "", parts.count) {
    case ("", 0...1) where isRead:
      guard path.isEmpty else { return .response(page.response(for: request)) }
      var response = WebResponse(303, "the page is at \(request.path)/")
      response.headers = [("Location", request.path + "/")]
      return .response(response)
    case ("push", 1) where request.method == "POST": return push(request, client)
    case ("recording", 1) where request.method == "POST": return .response(control(request))
    case ("events", 1) where request.method == "GET": return .events
    case ("samples", 1) where request.method == "GET":
      sampleReaders.append((client, request.queryValue(of: "device")))
      return .lines(type: "text/csv", first: WebMessage(SampleLines.header))
    case ("devices", 1) where isRead: return .response(.json(hello))
    case ("recordings", 1) where isRead: return .response(.json(store.list))
    case ("recordings", 2) where isRead: return .response(download(parts[1]))
    case ("recordings", 3) where isRead && parts[2] == "report": return report(parts[1], client)
    case ("", 1), ("push", 1), ("recording", 1), ("stream", 1), ("events", 1), ("samples", 1), ("devices", 1),
      ("recordings", 1...3):
      return .response(WebResponse(405, "\(request.method) is not supported at this address"))
    default:
      return .response(WebResponse(404, "there is nothing at this address; send samples to push, open the page at /"))
    }
  }

  private func push(_ request: WebRequest, _ client: WebClient) -> WebAnswer {
    let message: PushMessage
    do throws(LogError) {
      message = try PushMessage(body: request.body, name: "push")
    } catch {
      return .response(WebResponse(400, error.description))
    }
    switch receive(message, request.body) {
    case .failure(let refusal): return .response(refusal.response)
    case .success(let file):
      guard let file else { return .response(WebResponse(200, "ok")) }
      pending.append((client, file, file.size))
      return .later
    }
  }

  struct Refusal: Error {
    var response: WebResponse
  }

  /// Records and fuses a message.
  ///
  /// - Parameter isConverted: Whether `LiveSource` has created the message, in Core Motion's units.
  /// - Returns: The file to wait for until it is on disk, or `nil` if there is nothing to wait for.
  func receive(_ message: PushMessage, _ body: [UInt8], isConverted: Bool = false) -> Result<RecordingFile?, Refusal> {
    let now = MonotonicClock.now
    if let problem = message.timeProblem { return .failure(Refusal(response: WebResponse(400, problem))) }
    let place: Int
    do throws(FusionError) {
      place = try device(of: message, isConverted: isConverted, now)
    } catch {
      return .failure(Refusal(response: WebResponse(503, error.description)))
    }
    let content = body.hashValue
    let before = devices[place].file(of: message, content: content)
    if before != nil { devices[place].noteRepeated() }
    if let before, !before.hasFailed { return .success(before) }
    guard !message.readings.isEmpty else { return .success(nil) }
    let file: RecordingFile
    do throws(RecordingFile.Failure) {
      file = try store.append(body, of: devices[place], now: Self.timeOfDay)
    } catch {
      return .failure(Refusal(response: WebResponse(error.isFull ? 507 : 500, error.text)))
    }
    devices[place].note(message, content: content, in: file)
    // A message that was fused before its file failed is recorded again, but not fused twice.
    guard before == nil else { return .success(file) }
    keep(devices[place].receive(message, now: now), of: place)
    devices[place].note(duration: MonotonicClock.now - now)
    return .success(file)
  }

  private func keep(_ numbers: [Double], of place: Int) {
    forwardSamples(of: place)
    rows[devices[place].identifier, default: []] += numbers
    for event in devices[place].takeEvents(numbers) { deliver(event, of: devices[place].identifier) }
  }

  /// Forwards the samples of the last fusion, unchanged.
  private func forwardSamples(of place: Int) {
    let samples = devices[place].takeSamples()
    guard !sampleReaders.isEmpty, !samples.motion.isEmpty || !samples.auxiliary.isEmpty else { return }
    let device = devices[place].name
    let message = WebMessage(SampleLines.text(samples.motion, samples.auxiliary))
    for index in sampleReaders.indices where (sampleReaders[index].device ?? device) == device {
      sampleReaders[index].device = device
      sampleReaders[index].client.send(message)
    }
  }

  private func deliver(_ event: LiveDevice.Event, of device: String) {
    let text = LiveJSON.object([
      ("type", "\"event\""), ("device", LiveJSON.text(device)), ("kind", LiveJSON.text(event.kind)),
      ("start", LiveJSON.number(event.start, digits: 6)), ("end", LiveJSON.number(event.end, digits: 6)),
      ("text", LiveJSON.text(event.text)),
    ])
    lastEvents.append(text)
    if lastEvents.count > Self.keptEvents { lastEvents.removeFirst() }
    // An event's rows have to precede it.
    flush()
    send(text)
  }

  /// Returns the index of a message's session; creates a session if the device has started a new one.
  private func device(of message: PushMessage, isConverted: Bool, _ now: Double) throws(FusionError) -> Int {
    if let place = devices.firstIndex(where: { $0.name == message.device }) {
      if devices[place].session == message.session { return place }
      remove(place)
    } else if devices.count >= LiveOptions.maximumDeviceCount {
      guard let oldest = devices.indices.min(by: { devices[$0].lastArrival < devices[$1].lastArrival }),
        now - devices[oldest].lastArrival > LiveOptions.maximumSilence
      else { throw .badData("\(devices.count) devices are already connected; stop one and try again in a minute") }
      remove(oldest)
    }
    deviceCount += 1
    devices.append(
      try LiveDevice(
        identifier: "d\(deviceCount)", message: message, options: fusion, isConverted: isConverted,
        patience: options.patience, now: now))
    // Readers receive the device's name before its rows.
    send(devices[devices.count - 1].status(now: now, timeOfDay: Self.timeOfDay, recording: nil))
    return devices.count - 1
  }

  private func remove(_ place: Int) {
    keep(devices[place].finish(), of: place)
    flush()
    store.close(devices[place])
    send(LiveJSON.object([("type", "\"gone\""), ("device", LiveJSON.text(devices[place].identifier))]))
    devices.remove(at: place)
  }

  // MARK: Recordings

  private func control(_ request: WebRequest) -> WebResponse {
    // A form on another site cannot send this content type.
    guard request.header("content-type")?.lowercased().hasPrefix("application/json") == true else {
      return WebResponse(415, "send application/json")
    }
    guard let command = RecordingCommand(body: request.body) else {
      return WebResponse(
        400,
        #"send {"action": "start", "name", "label"}, {"action": "stop"} or {"action": "mark", "text"}"#)
    }
    switch command {
    case .start(let name, let label):
      guard store.title == nil else { return WebResponse(409, "a recording is in progress; stop it first") }
      store.begin(.init(name: name, label: label, begun: Self.timeOfDay))
    case .stop:
      guard store.title != nil else { return WebResponse(409, "no recording is in progress") }
      store.end()
    case .mark(let text):
      guard !devices.isEmpty else {
        return WebResponse(409, "a mark needs the time of a device, and no device is connected")
      }
      for place in devices.indices { if let refusal = mark(text, place) { return refusal } }
    }
    send(LiveJSON.object([("type", "\"recording\""), ("recording", store.state)]))
    return .json(LiveJSON.object([("recording", store.state)]))
  }

  /// Adds a mark to a device's recording, at a time of the device's clock.
  private func mark(_ text: String, _ place: Int) -> WebResponse? {
    guard let newest = devices[place].newestStamp, let origin = devices[place].origin else { return nil }
    let silence = MonotonicClock.now - devices[place].lastArrival
    guard let stamp = unixNanoseconds(newest, plus: min(silence, 60)) else { return nil }
    var writer = PushMessageWriter()
    writer.add(mark: text, time: stamp)
    let body = writer.mark(session: devices[place].session, device: devices[place].name)
    do throws(RecordingFile.Failure) {
      let file = try store.append(body, of: devices[place], now: Self.timeOfDay)
      if let failure = file.synchronize(upTo: file.size) {
        store.abandon(file)
        throw failure
      }
    } catch {
      return WebResponse(error.isFull ? 507 : 500, error.text)
    }
    let time = timestampDifference(from: origin, to: stamp) / 1e9
    deliver(.init(kind: "mark", start: time, end: time, text: text), of: devices[place].identifier)
    return nil
  }

  private func download(_ name: String) -> WebResponse {
    guard let path = store.path(of: name), let data = FileManager.default.contents(atPath: path) else {
      return WebResponse(404, "there is no such recording")
    }
    var response = WebResponse(200, type: "application/x-ndjson", body: Array(data))
    response.headers = [("Content-Disposition", "attachment; filename=\"\(name)\"")]
    return response
  }

  private func report(_ name: String, _ client: WebClient) -> WebAnswer {
    guard let path = store.path(of: name) else { return .response(WebResponse(404, "there is no such recording")) }
    return reports.make(of: path, for: client)
  }

  // MARK: Readers

  func didConnect(_ client: WebClient) {
    readers.append(client)
    client.send(WebMessage(hello))
    let now = MonotonicClock.now
    for place in devices.indices {
      let name = store.file(of: devices[place])?.name
      client.send(WebMessage(devices[place].status(now: now, timeOfDay: Self.timeOfDay, recording: name)))
    }
    for event in lastEvents { client.send(WebMessage(event)) }
  }

  func didDisconnect(_ client: WebClient) {
    readers.removeAll { $0 === client }
    sampleReaders.removeAll { $0.client === client }
    pending.removeAll { $0.client === client }
    reports.forget(client)
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
    for place in devices.indices {
      guard let deadline = devices[place].deadline, deadline <= now else { continue }
      keep(devices[place].release(now: now), of: place)
    }
    var next = 0.5
    if rows.values.contains(where: { !$0.isEmpty }) {
      let due = lastBroadcastTime + LiveOptions.pace - now
      if due <= 0 { flush() } else { next = min(next, due) }
    }
    if now - lastStatus >= 1 {
      lastStatus = now
      for place in devices.indices {
        let name = store.file(of: devices[place])?.name
        let status = devices[place].status(now: now, timeOfDay: Self.timeOfDay, recording: name)
        send(status)
        // Messages of a source, which does not wait for a response, are committed at most a second later.
        guard let file = store.file(of: devices[place]), file.size > file.committedSize else { continue }
        pending.append((nil, file, file.size))
      }
      for reader in readers where reader.leftOutCount > 0 {
        reader.send(WebMessage(LiveJSON.object([("type", "\"leftOut\""), ("messages", "\(reader.leftOutCount)")])))
      }
    }
    commit()
    for deadline in devices.compactMap(\.deadline) { next = min(next, max(0, deadline - now)) }
    return next
  }

  func end() {
    for place in devices.indices { keep(devices[place].finish(), of: place) }
    flush()
  }

  /// Commits the pending files to disk, and responds to their clients afterwards.
  private func commit() {
    guard !isCommitting, !pending.isEmpty else { return }
    isCommitting = true
    let batch = Waiters(pending)
    pending = []
    var files: [(file: RecordingFile, size: Int)] = []
    for item in batch.items {
      if let place = files.firstIndex(where: { $0.file === item.file }) {
        files[place].size = max(files[place].size, item.size)
      } else {
        files.append((item.file, item.size))
      }
    }
    for (file, size) in files { file.committedSize = max(file.committedSize, size) }
    let hub = Unchecked(self)
    committer.commit(files) { [server, files] failures in
      server.post { hub.value.acknowledge(batch, zip(files, failures).map { ($0.file, $1) }) }
    }
  }

  private func acknowledge(_ batch: Waiters, _ results: [(file: RecordingFile, failure: RecordingFile.Failure?)]) {
    isCommitting = false
    for (file, failure) in results {
      guard let failure else { continue }
      for place in devices.indices where store.file(of: devices[place]) === file { devices[place].note(failure.text) }
      store.abandon(file)
    }
    for (client, file, _) in batch.items {
      if let failure = results.first(where: { $0.file === file })?.failure {
        client?.finish(WebResponse(failure.isFull ? 507 : 500, failure.text))
      } else if file.hasFailed {
        // The system may report a failed write of a file only once.
        client?.finish(
          WebResponse(500, "\(file.path): the recording failed; send the samples again, they go to a new recording"))
      } else {
        client?.finish(WebResponse(200, "ok"))
      }
    }
  }

  static var timeOfDay: Double { Date().timeIntervalSince1970 }
}

/// The clients that wait for the same commit. Created and used by the server's thread.
private final class Waiters: @unchecked Sendable {
  let items: [(client: WebClient?, file: RecordingFile, size: Int)]
  init(_ items: [(client: WebClient?, file: RecordingFile, size: Int)]) { self.items = items }
}
