internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The conversion of a row of Inertial's columns to ROS messages.
struct ROSRowLayout: Sendable {
  /// The topic and type of messages of one kind.
  typealias Topic = (name: String, message: ROSMessage)

  let width: Int
  let topics: [Topic]
  private let clock: NanosecondClock
  private let turnsToEast: Bool
  /// The first column of each quantity, or `nil` if the table does not have the quantity.
  private let rate, acceleration, gravity, userAcceleration, field, quaternion, sigma: Int?

  private static let imu = "/imu"
  private static let frame = "imu_link"
  /// The range of a message's timestamps, in nanoseconds.
  private static let stamps = Int64(Int32.min) * 1_000_000_000..<(Int64(Int32.max) + 1) * 1_000_000_000

  init(columns: [String], clock: NanosecondClock, turnsToEast: Bool) {
    width = columns.count
    (self.clock, self.turnsToEast) = (clock, turnsToEast)
    func place(_ name: String) -> Int? { columns.firstIndex(of: name + "X") }
    (rate, acceleration, gravity) = (place("rotationRate"), place("acceleration"), place("gravity"))
    (userAcceleration, field) = (place("userAcceleration"), place("magneticField"))
    (quaternion, sigma) = (place("quaternion"), place("attitudeSigma"))
    var topics: [Topic] = []
    if rate != nil || acceleration != nil || userAcceleration != nil || quaternion != nil {
      topics.append((Self.imu, .imu))
    }
    if field != nil { topics.append((Self.imu + "/mag", .magneticField)) }
    if quaternion != nil { topics.append((Self.imu + "/pose", .pose)) }
    self.topics = topics
  }

  /// Returns the ROS timestamp, or `nil` if it is out of range: MCAP's own times are not below 0.
  func stamp(_ time: Double) -> Int64? {
    guard let stamp = clock.stamp(time), stamp >= 0, Self.stamps.contains(stamp) else { return nil }
    return stamp
  }

  func error(_ time: Double, path: String) -> OutputError {
    OutputError(
      kind: .other, path: path,
      problem: "the time \(time) s is before 1970 or after 2038, or below 0, which ROS messages cannot represent",
      remedy: "give --relative-time, or another format")
  }

  /// Calls `body` with the topic's index, the timestamp and the bytes of each of a row's messages.
  func forEachMessage(of row: UnsafeBufferPointer<Double>, _ body: (Int, Int64, [UInt8]) -> Void) {
    guard let stamp = stamp(row[0]) else { return }
    func vector(_ place: Int?) -> Vector3? { place.flatMap { Vector3(row, at: $0) } }
    let attitude = quaternion.flatMap { earthFromDevice(row, at: $0) }
    for (index, topic) in topics.enumerated() {
      switch topic.message {
      case .imu:
        let force =
          vector(acceleration) ?? vector(gravity).flatMap { down in vector(userAcceleration).map { down + $0 } }
        let turn = vector(rate)
        guard attitude != nil || force != nil || turn != nil else { continue }
        var message = [UInt8](cdrStamp: stamp, frame: Self.frame)
        let q = attitude ?? .identity
        message.addCDR(q.x, q.y, q.z, q.w)
        addSigma(vector(sigma), isThere: attitude != nil, to: &message)
        for (vector, factor) in [(turn, 1), (force, -standardGravity)] {
          message.addCDR(factor * (vector?.x ?? 0), factor * (vector?.y ?? 0), factor * (vector?.z ?? 0))
          message.addCDRCovariance(vector == nil ? -1 : 0)
        }
        body(index, stamp, message)
      case .magneticField:
        guard let field = vector(field) else { continue }
        var message = [UInt8](cdrStamp: stamp, frame: Self.frame)
        message.addCDR(1e-6 * field.x, 1e-6 * field.y, 1e-6 * field.z)
        message.addCDRCovariance()
        body(index, stamp, message)
      case .pose:
        guard let q = attitude else { continue }
        // The frame names of REP 105: for earth axes, and for axes relative to the device's start.
        var message = [UInt8](cdrStamp: stamp, frame: turnsToEast ? "map" : "odom")
        message.addCDR(0, 0, 0)
        message.addCDR(q.x, q.y, q.z, q.w)
        body(index, stamp, message)
      case .position: continue
      }
    }
  }

  private func earthFromDevice(_ row: UnsafeBufferPointer<Double>, at place: Int) -> Quaternion? {
    let q = Quaternion(x: row[place], y: row[place + 1], z: row[place + 2], w: row[place + 3])
    guard !(q.x + q.y + q.z + q.w).isNaN else { return nil }
    // A rotation by 90°: north, formerly X, becomes Y.
    return turnsToEast ? Quaternion(angle: .pi / 2, axis: .unitZ) * q : q
  }

  private func addSigma(_ sigma: Vector3?, isThere: Bool, to message: inout [UInt8]) {
    guard isThere else { return message.addCDRCovariance(-1) }
    guard let s = sigma else { return message.addCDRCovariance() }
    let (x, y) = turnsToEast ? (s.y, s.x) : (s.x, s.y)
    message.addCDRCovariance(x * x, y * y, s.z * s.z)
  }
}

extension Vector3 {
  /// Creates a vector, or `nil` if a number is missing.
  fileprivate init?(_ row: UnsafeBufferPointer<Double>, at place: Int) {
    self.init(row[place], row[place + 1], row[place + 2])
    if (x + y + z).isNaN { return nil }
  }
}
