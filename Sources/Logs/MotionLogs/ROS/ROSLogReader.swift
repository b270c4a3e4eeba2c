internal import InertialSensors

/// The messages of a container in order.
protocol ROSRecordSource {
  var progress: Double { get }
  /// The names of the topics found so far, by number.
  var topics: [Int: String] { get }
  /// Whether a topic of positions was found.
  var hasLocation: Bool { get }
  /// Returns the next message of a supported kind, or `nil` at the end.
  mutating func next() throws(ContainerError) -> ROSRecord?
  /// Returns the container's error for a faulty message.
  func logError(_ error: ContainerError) -> LogError
}

/// Reads recordings of ROS: the messages `sensor_msgs/Imu`, `MagneticField` and, if positions are requested,
/// `NavSatFix`.
///
/// rad/s, m/s² of specific force and tesla are converted to Inertial's units and sign. A covariance that begins with −1
/// marks a missing quantity. Timestamps come from the messages' headers or, if the first is 0, from the log. A quantity
/// must not occur in more than one topic.
struct ROSLogReader: LogReader {
  private(set) var description: LogDescription
  private(set) var emptyCounts: [SensorChannel: Int] = [:]
  /// The units of all containers, for the list of formats.
  static let units =
    "nanoseconds become seconds since the first message; rad/s; m/s² of specific force becomes g with Core Motion's "
    + "sign, T becomes µT; orientation x, y, z, w, body to ENU; a covariance of -1 marks a missing value"
  private static let batchSize = 1024

  private let path: String
  private var source: any ROSRecordSource
  private let wantsLocation: Bool
  private var pending: [AuxiliarySample] = []
  private var locationTopic: Int?
  /// The topic of each channel.
  private var providers: [SensorChannel: Int] = [:]
  /// The samples of the message that determined the clock.
  private var first: [SensorSample] = []
  private var usesHeader = true
  /// The UNIX time of time 0 in nanoseconds, or 0 if times are not UNIX time.
  private var origin: Int64 = 0

  /// The minimum of times in UNIX nanoseconds, in the year 1973, as for a CSV.
  private static let unixNanoseconds: Int64 = 100_000_000_000_000_000

  /// - Parameters:
  ///   - format: The identifier of the container's format.
  ///   - summary: A short description of the container.
  ///   - recorder: A command that records the topic of an inertial sensor.
  init(
    _ source: some ROSRecordSource, path: String, format: String, summary: String, recorder: String, options: LogOptions
  ) throws(LogError) {
    self.path = path
    self.source = source
    wantsLocation = options.auxiliary.contains(.location)
    description = LogDescription(format: format, summary: summary, path: path)
    var isKnown = false
    while !isKnown, let message = try next() {
      guard message.kind.isOfSensors else { continue }
      usesHeader = message.stamp != 0
      let stamp = usesHeader ? message.stamp : message.logTime
      if stamp >= Self.unixNanoseconds { origin = stamp }
      first = try samples(of: message)
      isKnown = true
    }
    guard isKnown else {
      let found = self.source.topics.values.map { String($0.prefix(60)) }.sorted().prefix(8).joined(separator: ", ")
      throw LogError(
        path: path,
        problem: "no messages of sensor_msgs, Imu or MagneticField (topics: \(found.isEmpty ? "none" : found))",
        remedy: "record the topic of the inertial sensor: \(recorder)")
    }
    if wantsLocation, self.source.hasLocation { description.auxiliaryChannels = [.location] }
    description.epoch = origin > 0 ? Double(origin) / 1e9 : nil
    description.clock = LogClock(origin > 0 ? .unix : .unstated, unit: .nanoseconds)
    description.referenceFrame = "enu"
    description.notes = [
      usesHeader || origin == 0
        ? "time: from the messages' headers, not of their arrival"
        : "time: of the messages' arrival, as their headers lack it",
      "acceleration: m/s² of specific force to g, sign inverted", "magnetic field: T to µT",
      "orientation: body to earth with z up (ENU), as in REP 145",
    ]
  }

  var progress: Double { source.progress }

  private mutating func next() throws(LogError) -> ROSRecord? {
    do throws(ContainerError) { return try source.next() } catch { throw source.logError(error) }
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    batch += first
    first = []
    while batch.count - start < Self.batchSize {
      guard let message = try next() else { break }
      if message.kind == .position {
        try takePosition(message)
      } else if message.kind.isOfSensors {
        batch += try samples(of: message)
      }
    }
    return batch.count > start
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += pending
    pending.removeAll(keepingCapacity: true)
  }

  /// Adds the position of a message if its receiver had one. Of several topics, only the first counts.
  private mutating func takePosition(_ message: ROSRecord) throws(LogError) {
    guard wantsLocation, message.topic == locationTopic ?? message.topic else { return }
    locationTopic = message.topic
    var message = message
    do throws(ContainerError) {
      let hasFix = try message.statusHasFix()
      let place = try message.vector()
      guard hasFix, place.x.isFinite, place.y.isFinite else { return }
      var sample = AuxiliarySample(time: time(of: message), channel: .location)
      sample["latitude"] = place.x
      sample["longitude"] = place.y
      sample["ellipsoidalAltitude"] = place.z
      pending.append(sample)
    } catch {
      throw source.logError(error)
    }
  }

  /// Returns the time of a message, in seconds.
  private func time(of message: ROSRecord) -> Double {
    let stamp = usesHeader ? message.stamp : message.logTime
    return Double(stamp.subtractingReportingOverflow(origin).partialValue) / 1e9
  }

  private mutating func samples(of message: ROSRecord) throws(LogError) -> [SensorSample] {
    let time = time(of: message)
    var message = message
    var samples: [SensorSample] = []
    do throws(ContainerError) {
      switch message.kind {
      case .imu:
        let q = (v: try message.vector(), w: try message.double())
        // All zeros mean that the driver omitted the orientation.
        if try message.covarianceHasQuantity(), q.v.x != 0 || q.v.y != 0 || q.v.z != 0 || q.w != 0 {
          samples.append(
            SensorSample(time: time, channel: .deviceAttitude, x: q.v.x, y: q.v.y, z: q.v.z, w: q.w))
        }
        let rate = try message.vector()
        if try message.covarianceHasQuantity() {
          samples.append(SensorSample(time: time, channel: .gyroscope, x: rate.x, y: rate.y, z: rate.z))
        }
        let force = try message.vector()
        if try message.covarianceHasQuantity() {
          let g = -standardGravity
          samples.append(
            SensorSample(time: time, channel: .accelerometer, x: force.x / g, y: force.y / g, z: force.z / g))
        }
      case .magneticField:
        let field = try message.vector()
        if try message.covarianceHasQuantity() {
          samples.append(
            SensorSample(time: time, channel: .magnetometer, x: 1e6 * field.x, y: 1e6 * field.y, z: 1e6 * field.z))
        }
      case .pose, .position: break
      }
    } catch {
      throw source.logError(error)
    }
    for sample in samples {
      if let provider = providers[sample.channel], provider != message.topic {
        throw conflict(sample.channel, provider, message.topic)
      }
      providers[sample.channel] = message.topic
    }
    return samples
  }

  private func conflict(_ channel: SensorChannel, _ one: Int, _ other: Int) -> LogError {
    let names = [one, other].map { String((source.topics[$0] ?? "").prefix(60)) }
    return LogError(
      path: path, problem: "the \(channel.name) has two topics, \(names[0]) and \(names[1])",
      remedy: "remove one of them: "
        + (description.format == "ros-bag"
          ? "rosbag filter FILE one.bag \"topic != '\(names[1])'\""
          : description.format == "mcap"
            ? "mcap filter FILE -o one.mcap -n \(names[1])"
            : "mcap convert FILE walk.mcap, mcap filter walk.mcap -o one.mcap -n \(names[1])"))
  }
}
