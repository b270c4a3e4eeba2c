import Inertial
import InertialSystem

/// The result of `fuse` as a JSON document.
struct FusionDocument: Encodable {
  struct Channel: Encodable {
    var name: String
    var samples: Int
    var used: Int
    var rate: Double
  }

  struct Attitude: Encodable {
    var time: Double
    var quaternion: [Double]
    /// The Euler angles in radians.
    var roll: Double
    var pitch: Double
    var yaw: Double
    /// The heading in degrees, as in all outputs; -1 if the direction of north is unknown.
    var heading: Double
  }

  /// The magnetic declination, and the source of its place and date: the user (`given`), the log (`log`), or, for an
  /// unknown date, `newestModel`.
  struct Declination: Codable {
    /// The declination in degrees, positive if magnetic north is east of true north.
    var degrees: Double
    var latitude: Double
    var longitude: Double
    var altitude: Double
    var place: MagneticDeclination.Origin
    var decimalYear: Double
    var date: MagneticDeclination.Origin
    var model: String
  }

  var input: String
  var output: String
  /// The paths of all outputs, if there are several formats.
  var outputs: [String]?
  var format: String
  var formatDescription: String
  var notes: [String]
  /// The UNIX time of time 0, if the log specifies it.
  var epoch: Double?
  /// The log's time that is 0 in the rows, with `--relative-time`.
  var timeOrigin: Double?
  var filter: String
  var parameters: [String: Double]
  var frame: String
  /// The declination in the frame of true north, or `nil` in other frames.
  var declination: Declination?
  var rows: Int
  var rowsLeftOut: Int
  /// The treatment of gaps: "split", "hold" or "nan"; `nil` if no rows are added in a gap.
  var gaps: String?
  /// The maximum time between gyroscope samples that is not a gap, in seconds.
  var gap: Double
  /// The number of segments between gaps, with "split".
  var segments: Int?
  var columns: [String]
  var channels: [Channel]
  /// The channels in addition to the motion sensors, or `nil` if none were requested.
  var auxiliary: [Channel]?
  /// The recognised values in the last row by column, or `nil` if no recognition was requested.
  var recognised: [String: Double?]?
  /// The path of the file of events, or `nil` if none was requested.
  var eventsOutput: String?
  var events: Int?
  /// The time offsets of the sensors, and whether they were removed, or `nil` if this was not requested.
  var alignment: [LogAlignment.Entry]?
  var warnings: [String]
  var finalAttitude: Attitude?
  var seconds: Double

  init(_ job: FusionJob, _ report: FusionJob.Report) {
    let options = job.options
    input = job.input
    output = report.output
    outputs = report.outputs.count > 1 ? report.outputs.map(\.path) : nil
    format = report.log.description.format
    formatDescription = report.log.description.summary
    notes = report.log.description.notes
    epoch = report.epoch
    timeOrigin = report.timeOrigin
    filter = options.filter
    parameters = FilterKind.named(options.filter)?.values(options.filterSettings, smoothing: options.smooths) ?? [:]
    frame = options.motion.frame.name
    declination = report.declination.map {
      Declination(
        degrees: $0.degrees, latitude: $0.place.latitude, longitude: $0.place.longitude, altitude: $0.place.altitude,
        place: $0.placeOrigin, decimalYear: $0.year, date: $0.yearOrigin, model: $0.model)
    }
    rows = report.rowCount
    rowsLeftOut = report.rowsLeftOut
    gaps = options.gaps?.rawValue
    gap = options.gap
    segments = report.segmentCount
    columns = report.columns
    channels = SensorChannel.allCases.compactMap { channel in
      report.log.reports[channel].map {
        Channel(name: channel.name, samples: $0.count, used: $0.used, rate: $0.meanRate)
      }
    }
    let found = AuxiliaryChannel.allCases.compactMap { channel in
      report.log.auxiliary[channel].map {
        Channel(name: channel.name, samples: $0.count, used: $0.used, rate: $0.meanRate)
      }
    }
    auxiliary = found.isEmpty ? nil : found
    recognised =
      report.recognised.isEmpty
      ? nil : Dictionary(uniqueKeysWithValues: report.recognised.map { ($0.column, $0.value) })
    eventsOutput = report.eventCount == nil ? nil : job.eventsOutput
    events = report.eventCount
    alignment = report.alignment?.entries(isApplied: true)
    warnings = report.log.warnings
    finalAttitude = report.lastRow.map {
      let q = $0.attitude.quaternion
      return Attitude(
        time: $0.time, quaternion: [q.x, q.y, q.z, q.w], roll: $0.attitude.roll, pitch: $0.attitude.pitch,
        yaw: $0.attitude.yaw, heading: $0.heading)
    }
    let elapsed = report.elapsed
    seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
  }
}

/// The results of `fuse` with several logs.
struct FusionDocuments: Encodable {
  var datasets: [FusionDocument]
  /// The datasets of an earlier run that were kept.
  var kept: [String]
  /// The reasons that the other logs were not fused, as one message per log.
  var failures: [String]
}

extension LogAlignment.Entry {
  /// The human-readable description.
  var sentence: String {
    guard let offset else { return "\(channel): no time offset detected (\(reason ?? "no reason"))" }
    let size = "\(fixed(abs(offset.seconds) * 1000, 1)) ± \(fixed(offset.uncertainty * 1000, 1)) ms"
    let what =
      offset.isSignificant
      ? "\(size) \(offset.seconds > 0 ? "late" : "early") against the gyroscope"
      : "on the gyroscope's clock (\(fixed(offset.seconds * 1000, 1)) ± \(fixed(offset.uncertainty * 1000, 1)) ms)"
    let done = isApplied == true ? "removed; " : ""
    return
      "\(channel): \(what); \(done)residual \(fixed(offset.residualRatio * 100, 0)) % of the residual at other lags, "
      + "\(offset.stretchCount) motion segments"
  }
}

extension FusionDocument.Declination {
  /// The human-readable description.
  fileprivate var sentence: String {
    let side = degrees < 0 ? "west" : "east"
    let site = place == .log ? "place from the log" : "place from the options"
    let when =
      switch date {
      case .given: "date from the options"
      case .log: "date from the log"
      case .newestModel: "epoch of the newest model"
      }
    return "declination \(fixed(abs(degrees), 2))° \(side), \(model) at \(fixed(latitude, 4)), \(fixed(longitude, 4)) "
      + "(\(site)) in \(fixed(decimalYear, 2)) (\(when))"
  }
}

/// The human-readable summary.
struct FusionSummary {
  private let lines: [String]

  init(_ document: FusionDocument, _ report: FusionJob.Report) {
    var lines = ["read    \(document.input): \(document.formatDescription)"]
    for channel in document.channels + (document.auxiliary ?? []) {
      lines.append(
        "        \(padded(channel.name, 26)) \(padded("\(channel.used)", 9, left: true)) samples at \(fixed(channel.rate, 2)) Hz"
      )
    }
    lines += document.notes.map { "        \($0)" }
    for (index, entry) in (document.alignment ?? []).enumerated() {
      lines.append("\(index == 0 ? "align   " : "        ")\(entry.sentence)")
    }
    lines.append("filter  \(document.filter), frame \(document.frame)")
    if let declination = document.declination { lines.append("        \(declination.sentence)") }
    let leftOut = document.rowsLeftOut > 0 ? ", \(counted(document.rowsLeftOut, "row")) in gaps omitted" : ""
    let segments = document.segments.map { ", \(counted($0, "segment"))" } ?? ""
    lines.append(
      "wrote   \((document.outputs ?? [document.output]).joined(separator: ", ")): \(document.rows) rows of \(document.columns.count) columns in \(fixed(document.seconds, 2)) s\(leftOut)\(segments)"
    )
    if let output = document.eventsOutput, let count = document.events {
      lines.append("        \(output): \(counted(count, "event"))")
    }
    if !report.recognised.isEmpty {
      let values = report.recognised.map { value in
        "\(value.column) " + (value.value.map { fixed($0, $0 == $0.rounded() ? 0 : 3) } ?? "-")
          + (value.unit == "1" ? "" : " \(value.unit)")
      }
      lines.append("with    in the last row: \(values.joined(separator: ", "))")
    }
    if !report.firstRows.isEmpty {
      lines.append("        time s        roll     pitch       yaw (deg)   user acceleration (g)")
      lines += report.firstRows.map { "        " + Self.row($0) }
    }
    if let last = report.lastRow {
      let q = last.attitude.quaternion
      let heading = last.heading >= 0 ? ", heading \(fixed(last.heading, 1))°" : ""
      lines.append(
        "final   attitude at \(fixed(last.time, 3)) s: roll \(degrees(last.attitude.roll))°, pitch \(degrees(last.attitude.pitch))°, yaw \(degrees(last.attitude.yaw))°\(heading)"
      )
      lines.append(
        "        quaternion x \(fixed(q.x, 6)), y \(fixed(q.y, 6)), z \(fixed(q.z, 6)), w \(fixed(q.w, 6)) (device to reference)"
      )
    }
    self.lines = lines
  }

  func print(toStandardError: Bool) {
    for line in lines {
      if toStandardError { Console.line(line) } else { Page.standard.line(line) }
    }
  }

  private static func row(_ motion: DeviceMotion) -> String {
    let attitude = motion.attitude
    let user = motion.userAcceleration.map {
      [$0.x, $0.y, $0.z].map { padded(fixed($0, 4), 9, left: true) }.joined()
    }
    return padded(fixed(motion.time, 4), 10)
      + [attitude.roll, attitude.pitch, attitude.yaw].map { padded(degrees($0), 10, left: true) }.joined()
      + "        " + (user ?? "        -")
  }
}

private func degrees(_ radians: Double) -> String { fixed(radians * 180 / .pi, 2) }
