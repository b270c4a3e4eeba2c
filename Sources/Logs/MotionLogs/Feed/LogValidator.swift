internal import InertialNumerics
package import InertialSensors

/// Determines whether a log is fit for fusion, from statistics collected during reading.
///
/// A single invalid sample is skipped and reported. A log is rejected with a one-line message if more than 1 % of a
/// channel's samples are invalid, if time runs backwards in more than a third of them, or if magnitudes are impossible
/// in the declared unit.
package struct LogValidator: Codable {
  /// The fraction of invalid samples of a channel above which a log is rejected.
  static let tolerance = 0.01

  let path: String
  let isStrict: Bool

  package private(set) var accelerationCount = 0
  private var accelerationNormSum = 0.0
  private var strongCount = 0
  private var weakCount = 0
  private var gravity = LastingAcceleration()
  private var rateCount = 0
  private var fastCount = 0

  /// The first column of each channel, for messages.
  private var columns: [SensorChannel: Int] = [:]

  package init(path: String, isStrict: Bool) {
    self.path = path
    self.isStrict = isStrict
  }

  /// Adds a sample as read, whether or not it is valid.
  package mutating func add(raw sample: SensorSample) {
    switch sample.channel {
    case .accelerometer:
      let norm = sample.vector.norm
      guard norm.isFinite else { return }
      accelerationCount += 1
      accelerationNormSum += norm
      if norm > 4 { strongCount += 1 }
      if norm < 0.25 { weakCount += 1 }
      gravity.add(sample.vector, at: sample.time)
    case .gyroscope:
      let largest = sample.vector.maximumMagnitude
      guard largest.isFinite else { return }
      rateCount += 1
      if largest > 60 { fastCount += 1 }
    default: return
    }
  }

  /// - Parameter columns: The first column of each channel, for messages.
  /// - Throws: ``LogError`` for the first problem that makes the log unfit for estimates from `channels`.
  package mutating func check(
    _ reports: [SensorChannel: ChannelReport], needing channels: [SensorChannel],
    following followed: Set<SensorChannel> = [], columns: [SensorChannel: Int] = [:]
  ) throws(LogError) {
    self.columns = columns
    try checkChannels(reports, needing: channels)
    try checkOverlap(reports, of: channels)
    try checkUnits(reports)
    for channel in SensorChannel.allCases {
      guard let report = reports[channel] else { continue }
      let isNeeded = channels.contains(channel)
      try check(channel, report, isNeeded: isNeeded, isFollowed: isNeeded || followed.contains(channel))
    }
  }

  private func checkChannels(
    _ reports: [SensorChannel: ChannelReport], needing channels: [SensorChannel]
  ) throws(LogError) {
    for channel in channels {
      guard let report = reports[channel], report.count > 0 else {
        throw bad(
          nil, nil, "the log has no \(channel.name) samples" + Self.instead(of: channel, reports),
          "fusing needs an accelerometer and a gyroscope; 'inertial inspect' lists the log's channels")
      }
    }
  }

  /// - Throws: ``LogError`` if one sensor ends before another begins, as the two cannot be fused.
  private func checkOverlap(
    _ reports: [SensorChannel: ChannelReport], of channels: [SensorChannel]
  ) throws(LogError) {
    let used = channels.compactMap { channel in
      reports[channel].flatMap { $0.used > 0 ? (channel: channel, report: $0) : nil }
    }
    guard let first = used.min(by: { $0.report.lastTime < $1.report.lastTime }),
      let last = used.max(by: { $0.report.firstTime < $1.report.firstTime }),
      first.report.lastTime < last.report.firstTime
    else { return }
    throw bad(
      nil, nil,
      "the sensors do not overlap in time: the \(first.channel.name) ends \(rounded(last.report.firstTime - first.report.lastTime))"
        + " s before the \(last.channel.name) begins",
      "put both on one clock, or check that the two are from one recording")
  }

  /// Returns a description of the log's samples that replace those of a missing sensor.
  private static func instead(of channel: SensorChannel, _ reports: [SensorChannel: ChannelReport]) -> String {
    let present = Set(reports.filter { $0.value.count > 0 }.keys)
    if channel == .accelerometer, present.contains(.deviceUserAcceleration) {
      return ", but acceleration without gravity: record it with gravity"
    }
    let attitudes: Set<SensorChannel> = [.deviceAttitude, .referenceAttitude, .deviceHeading, .movement]
    guard !present.isEmpty, present.isSubset(of: attitudes) else { return "" }
    return ", but only an attitude, as for --reference and --estimate of 'inertial evaluate'"
  }

  package func checkUnits(_ reports: [SensorChannel: ChannelReport]) throws(LogError) {
    let line = reports[.accelerometer].flatMap { self.line($0.firstLine) }
    if accelerationCount > 0 {
      let mean = accelerationNormSum / Double(accelerationCount)
      if 2 * strongCount > accelerationCount {
        throw bad(
          line, columns[.accelerometer], "the acceleration is \(rounded(mean)) g on average, which is impossible",
          (8...12).contains(mean)
            ? "values in m/s² need --acceleration-unit m/s2" : "check the unit of the column")
      }
      if 2 * weakCount > accelerationCount, gravity.norm < LastingAcceleration.minimumGravity {
        throw bad(
          line, columns[.accelerometer],
          "the acceleration is \(rounded(mean)) g on average: gravity appears to be removed",
          "fusing needs the raw acceleration, or a device-motion log that includes gravity")
      }
    }
    if rateCount > 0, 5 * fastCount > rateCount {
      throw bad(
        reports[.gyroscope].flatMap { self.line($0.firstLine) }, columns[.gyroscope],
        "the rotation rate is above 60 rad/s in \(percent(fastCount, rateCount)) of the samples, which is impossible",
        "values in degrees per second need --rotation-unit deg/s")
    }
  }

  private func check(
    _ channel: SensorChannel, _ report: ChannelReport, isNeeded: Bool, isFollowed: Bool
  ) throws(LogError) {
    if report.isMostlyMissing {
      throw bad(
        line(report.firstMissingLine), columns[channel],
        "\(percent(report.missing, report.count)) of the \(channel.name) samples are NaN",
        "fix or remove the channel")
    }
    let allowed = isStrict ? 0 : Self.tolerance
    if report.invalidFraction > allowed {
      throw bad(
        line(report.firstInvalidLine), columns[channel],
        "\(percent(report.invalid, report.count)) of the \(channel.name) samples are infinite or impossible",
        isStrict && report.invalidFraction <= Self.tolerance
          ? "omit --strict to skip them" : "check the unit, or fix or remove the channel")
    }
    if 3 * report.outOfOrder > report.count, report.count > 1 {
      throw bad(
        line(report.firstOutOfOrderLine), nil,
        "time runs backwards in \(percent(report.outOfOrder, report.count - 1)) of the \(channel.name) samples",
        "sort the log, or check which column is the time")
    }
    if 2 * report.retimedCount > report.count {
      throw bad(
        line(report.firstLine), nil,
        "\(percent(report.retimedCount, report.count)) of the \(channel.name) samples share their timestamp with another",
        "check which column is the time, or leave it out with --columns and give --sample-rate")
    }
    if isFollowed, report.gaps > 1, 2 * report.gaps > report.used {
      throw bad(
        line(report.firstLine), nil,
        "the \(channel.name) has \(rounded(report.meanRate)) samples per second, too few to follow motion",
        "check the unit of the time; --time-unit takes s, ms, us or ns")
    }
    if isStrict, report.outOfOrder > 0 {
      throw bad(
        line(report.firstOutOfOrderLine), nil,
        "\(report.outOfOrder) \(channel.name) samples are out of order", "omit --strict to sort them")
    }
    if isNeeded, report.used < 2 {
      throw bad(
        line(report.firstLine), nil,
        "the log has \(report.used) usable \(channel.name) sample\(report.used == 1 ? "" : "s")",
        "fusing needs at least two")
    }
  }

  /// Returns the skipped, dropped or shifted samples as one line per warning, for the user.
  package static func warnings(_ reports: [SensorChannel: ChannelReport]) -> [String] {
    var lines: [String] = []
    for channel in SensorChannel.allCases {
      guard let report = reports[channel] else { continue }
      func add(_ count: Int, _ what: String, _ firstLine: UInt32 = 0) {
        guard count > 0 else { return }
        let location = firstLine > 0 ? " (first in line \(firstLine))" : ""
        lines.append("\(channel.name): \(count) sample\(count == 1 ? "" : "s") \(what)\(location)")
      }
      add(report.invalid, "infinite or impossible, skipped", report.firstInvalidLine)
      add(report.missing, "NaN, treated as missing", report.firstMissingLine)
      add(report.outOfOrder, "out of order, sorted", report.firstOutOfOrderLine)
      add(report.late, "too late to be sorted in, dropped")
      add(report.collapsed, "repeated with the same time and values, dropped")
      add(report.retimedCount, "at the time of other values, shifted by 0.1 ms")
      if report.gaps > 0, channel.rawValue <= SensorChannel.calibratedMagneticField.rawValue {
        lines.append(
          "\(channel.name): \(report.gaps) gap\(report.gaps == 1 ? "" : "s") longer than 0.5 s, the longest "
            + "\(rounded(report.maximumInterval)) s")
      }
    }
    return lines + endWarnings(reports)
  }

  /// Returns warnings about channels that begin late or end early by at least a second, so that their values are
  /// missing there.
  private static func endWarnings(_ reports: [SensorChannel: ChannelReport]) -> [String] {
    let used = SensorChannel.allCases.prefix { $0 <= .calibratedMagneticField }.compactMap { channel in
      reports[channel].flatMap { $0.used > 0 ? (channel: channel, report: $0) : nil }
    }
    guard let start = used.map(\.report.firstTime).min(), let end = used.map(\.report.lastTime).max() else {
      return []
    }
    var lines: [String] = []
    for (channel, report) in used {
      if report.firstTime - start >= 1 {
        lines.append("\(channel.name): begins \(rounded(report.firstTime - start)) s after the log's start")
      }
      if end - report.lastTime >= 1 {
        lines.append("\(channel.name): ends \(rounded(end - report.lastTime)) s before the log's end")
      }
    }
    return lines
  }

  private func line(_ number: UInt32) -> Int? { number > 0 ? Int(number) : nil }

  private func bad(_ line: Int?, _ column: Int?, _ problem: String, _ remedy: String) -> LogError {
    LogError(path: path, line: line, column: column, problem: problem, remedy: remedy)
  }
}

/// Returns a number with about three significant digits, for messages.
package func rounded(_ value: Double) -> String {
  guard value.isFinite, value != 0 else { return "\(value)" }
  var scale = 1.0
  while abs(value) * scale < 100 { scale *= 10 }
  return "\((value * scale).rounded() / scale)"
}

private func percent(_ part: Int, _ whole: Int) -> String {
  "\((Double(part) / Double(max(whole, 1)) * 1000).rounded() / 10) %"
}
