import Testing

/// Values that this module computes from Apple's attitude compared with Apple's own, on iPhone recordings.
@Suite(.needs(.data)) struct CoreMotionParityTests {
  /// The recordings' value of one g in m/s² (SOURCE.txt).
  static let scale = 9.81
  static let withGravity = ["rec_2019-06-10_200312a", "rec_2019-06-11_master", "rec_2019-06-21_arkit"]
  static let withHeading = ["rec_2019-06-11_master", "rec_2019-06-21_arkit"]

  /// The rows of a space-separated file: times in nanoseconds and the following numbers.
  struct Table {
    var times: [Int64] = []
    var rows: [[Double]] = []

    init(_ recording: String, _ file: String) throws {
      let url = TestData.url("iphone-xs").appendingPathComponent(recording).appendingPathComponent(file)
      let text = try String(contentsOf: url, encoding: .utf8)
      for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
        let fields = line.split(separator: UInt8(ascii: " "))
        times.append(try #require(Int64(Substring(fields[0]))))
        rows.append(try fields.dropFirst().map { try #require(Double(Substring($0))) })
      }
    }

    var vectors: [Vector3] { rows.map { Vector3($0[0], $0[1], $0[2]) } }
  }

  static func attitudes(_ recording: String) throws -> (times: [Int64], attitudes: [Attitude]) {
    let table = try Table(recording, "game_rv.txt")
    // The text has six decimals, so `Attitude` normalises.
    let attitudes = table.rows.map { Attitude(quaternion: Quaternion(x: $0[0], y: $0[1], z: $0[2], w: $0[3])) }
    return (table.times, attitudes)
  }

  @Test("gravity recomputed from Apple's quaternion matches Apple's gravity", arguments: withGravity)
  func gravity(recording: String) throws {
    let (times, attitudes) = try Self.attitudes(recording)
    let table = try Table(recording, "gravity.txt")
    #expect(times == table.times)
    var (worst, squares) = (0.0, 0.0)
    for (attitude, logged) in zip(attitudes, table.vectors) {
      let apple = logged / Self.scale
      let difference = attitude.gravity - apple
      worst = max(worst, difference.maximumMagnitude)
      squares += difference.squaredNorm
    }
    let rms = (squares / Double(3 * attitudes.count)).squareRoot()
    print("\(recording): gravity from the quaternion, \(attitudes.count) samples: worst \(worst) g, rms \(rms) g")
    // Half of the sixth decimal in each component of q changes a component of gravity by at most 2e-6.
    #expect(worst < 1e-5)
  }

  @Test("heading recomputed from Apple's attitude matches Apple's heading", arguments: withHeading)
  func heading(recording: String) throws {
    let (times, attitudes) = try Self.attitudes(recording)
    let table = try Table(recording, "heading.txt")
    #expect(times == table.times)
    var worst = 0.0
    var ruleMatters = 0
    for (attitude, row) in zip(attitudes, table.rows) {
      worst = max(worst, abs(remainder(attitude.heading() - row[0], 360)))
      if abs(remainder(attitude.heading(pointing: .positiveY) - row[0], 360)) > 0.01 { ruleMatters += 1 }
    }
    print(
      "\(recording): heading, \(attitudes.count) samples: worst \(worst)°; top edge alone would miss \(ruleMatters)")
    #expect(worst < 0.01)
  }

  @Test("relative attitudes preserve gravity along a real stream, and the opposite order does not")
  func compositionOrder() throws {
    var rotation = 0.0
    for recording in Self.withGravity {
      let (_, attitudes) = try Self.attitudes(recording)
      let gravity = try Table(recording, "gravity.txt").vectors.map { $0 / Self.scale }
      var (worst, opposite) = (0.0, 0.0)
      for reference in stride(from: 0, to: attitudes.count, by: 499) {
        for index in stride(from: 0, to: attitudes.count, by: 7) {
          let (a, b) = (attitudes[index], attitudes[reference])
          let relative = a.multiplied(byInverseOf: b)
          rotation = max(rotation, relative.quaternion.angle)
          worst = max(worst, (relative.toReference(gravity[index]) - gravity[reference]).norm)
          let other = Attitude(quaternion: a.quaternion * b.quaternion.inverse)
          opposite = max(opposite, (other.toReference(gravity[index]) - gravity[reference]).norm)
        }
      }
      print("\(recording): R(b⁻¹ a) g_a − g_b: worst \(worst); with a b⁻¹ instead: \(opposite)")
      #expect(worst < 1e-5 && opposite > 0.1)
    }
    print("largest rotation between two attitudes: \(rotation * 180 / .pi)°")
    #expect(rotation > 1)
  }

  @Test(
    "raw acceleration is gravity plus user acceleration, for clocks with a constant offset",
    arguments: [
      // The shift converts the device-motion clock to the raw accelerometer's. If both streams coincide after it,
      // interpolation is exact; the third recording's streams never do.
      ("rec_2019-06-10_200312a", -5e-3, 2e-5), ("rec_2019-06-11_master", 1.25e-3, 2e-5),
      ("rec_2019-06-21_arkit", 0, 0.026),
    ])
  func rawAcceleration(recording: String, shift: Double, limit: Double) throws {
    let (raw, gravity) = (try Table(recording, "acce.txt"), try Table(recording, "gravity.txt"))
    let user = try Table(recording, "linacce.txt")
    #expect(gravity.times == user.times)
    let sum = zip(gravity.vectors, user.vectors).map { $0 + $1 }
    let origin = gravity.times[0]
    let times = gravity.times.map { Double($0 - origin) * 1e-9 + shift }
    var (squares, count, next) = (0.0, 0, 1)
    for (time, value) in zip(raw.times, raw.vectors) {
      let t = Double(time - origin) * 1e-9
      while next < times.count - 1, times[next] < t { next += 1 }
      let (before, after) = (times[next - 1], times[next])
      guard before <= t, t <= after else { continue }
      let fraction = (t - before) / (after - before)
      squares += (sum[next - 1] * (1 - fraction) + sum[next] * fraction - value).squaredNorm
      count += 1
    }
    let rms = (squares / Double(3 * count)).squareRoot()
    print("\(recording): raw − (gravity + user), shift \(shift * 1e3) ms, \(count) samples: rms \(rms) m/s²")
    #expect(count > raw.times.count - 5 && rms < limit)
    if limit > 1e-3 { #expect(rms > 0.02) }
  }
}
