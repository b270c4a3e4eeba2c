internal import InertialEssentials
internal import InertialLive
internal import InertialLogs
internal import InertialSensors

/// Polls the remote interface of the app phyphox for new measurements.
///
/// phyphox provides specific force in m/s² on both systems, rad/s and µT, at seconds since the start of the experiment.
struct PhyphoxPoll {
  /// The buffers of a sensor's vector and timestamps.
  struct Sensor: Equatable {
    var channel: SensorChannel
    var time: String
    var axes: [String]
    /// The last returned timestamp.
    var last = -1.0
  }

  private struct Configuration: Decodable {
    struct Input: Decodable {
      var source: String
      var outputs: [[String: String]]?
    }
    var inputs: [Input]
  }

  struct Answer: Decodable {
    struct Buffer: Decodable {
      var buffer: [Double?]
    }
    struct Status: Decodable {
      var session: String?
      var measuring: Bool?
    }
    var buffer: [String: Buffer]
    var status: Status
  }

  let host: String
  let port: UInt16
  private(set) var sensors: [Sensor] = []
  private var session: String?
  private(set) var isMeasuring = false

  private static let channels: [String: SensorChannel] = [
    "accelerometer": .accelerometer, "gyroscope": .gyroscope, "magnetic_field": .magnetometer,
  ]

  /// Creates a client.
  ///
  /// - Throws: `WebError` if the phone does not respond, or its experiment has no accelerometer or gyroscope.
  init(host: String, port: UInt16) throws(WebError) {
    (self.host, self.port) = (host, port)
    let configuration: Configuration = try fetch("/config")
    for input in configuration.inputs {
      guard let channel = Self.channels[input.source], let outputs = input.outputs else { continue }
      let names = outputs.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      guard let time = names["t"], let x = names["x"], let y = names["y"], let z = names["z"] else { continue }
      sensors.append(Sensor(channel: channel, time: time, axes: [x, y, z]))
    }
    guard [SensorChannel.accelerometer, .gyroscope].allSatisfy({ wanted in sensors.contains { $0.channel == wanted } })
    else {
      throw WebError(
        description: "phyphox://\(host):\(port): the experiment has no accelerometer or no gyroscope; "
          + "open an experiment in phyphox that records both")
    }
  }

  private func fetch<Document: Decodable>(_ path: String) throws(WebError) -> Document {
    let body = try OutgoingConnection.get(host: host, port: port, path: path)
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
      throw WebError(
        description: "http://\(host):\(port)\(path.prefix(7)): is not an answer of phyphox; check the address")
    }
    return document
  }

  /// Returns the measurements since the previous call in chronological order, and whether the experiment has restarted.
  mutating func next() throws(WebError) -> (samples: [SensorSample], isNew: Bool) {
    let answer: Answer = try fetch(query)
    isMeasuring = answer.status.measuring ?? true
    let isNew = session != nil && answer.status.session != session
    session = answer.status.session
    if isNew {
      for index in sensors.indices { sensors[index].last = -1 }
      return ([], true)
    }
    return (add(answer), false)
  }

  /// The query for values after the last timestamp of each sensor.
  private var query: String {
    let parts = sensors.flatMap { sensor in
      ["\(Self.escaped(sensor.time))=\(sensor.last)"]
        + sensor.axes.map { "\(Self.escaped($0))=\(sensor.last)%7C\(Self.escaped(sensor.time))" }
    }
    return "/get?" + parts.joined(separator: "&")
  }

  static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  mutating func add(_ answer: Answer) -> [SensorSample] {
    var samples: [SensorSample] = []
    for index in sensors.indices {
      let sensor = sensors[index]
      let columns = ([sensor.time] + sensor.axes).map { answer.buffer[$0]?.buffer ?? [] }
      // All complete rows: the axes may have been read a sample later than the timestamps.
      for row in 0..<(columns.map(\.count).min() ?? 0) {
        guard let time = columns[0][row], let x = columns[1][row], let y = columns[2][row], let z = columns[3][row],
          time > sensors[index].last
        else { continue }
        sensors[index].last = time
        let scale = sensor.channel == .accelerometer ? -1 / standardGravity : 1
        samples.append(SensorSample(time: time, channel: sensor.channel, x: x * scale, y: y * scale, z: z * scale))
      }
    }
    return samples.sorted { ($0.time, $0.channel.rawValue) < ($1.time, $1.channel.rawValue) }
  }
}
