import Inertial
import InertialSystem

/// What `fuse` did, as one JSON document.
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
    /// Radians.
    var roll: Double
    var pitch: Double
    var yaw: Double
    /// Degrees, as everywhere; -1 where north is not known.
    var heading: Double
  }

  /// Where true north lies by the compass, and who says where and when that was: the user (`given`), the log (`log`), or
  /// for the date nobody (`newestModel`).
  struct Declination: Codable {
    /// Positive where magnetic north is east of true north.
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
  /// All of them, where there are several formats.
  var outputs: [String]?
  var format: String
  var formatDescription: String
  var notes: [String]
  /// UNIX time of time 0, where the log says.
  var epoch: Double?
  /// The log's time that is 0 in the rows, with `--relative-time`.
  var timeOrigin: Double?
  var filter: String
  var parameters: [String: Double]
  var frame: String
  /// In the frame of true north; nil in the others.
  var declination: Declination?
  var rows: Int
  var rowsLeftOut: Int
  /// "split", "hold" or "nan"; nil = no row is made up in a gap.
  var gaps: String?
  /// The longest time between gyroscope samples that is no gap, seconds.
  var gap: Double
  /// Stretches between gaps, with "split".
  var segments: Int?
  var columns: [String]
  var channels: [Channel]
  /// Channels beside the motion sensors; nil where none were asked for.
  var auxiliary: [Channel]?
  /// What was recognised: the values of the last row by column; nil where nothing was to be.
  var recognised: [String: Double?]?
  /// The file of the events; nil where none were asked for.
  var eventsOutput: String?
  var events: Int?
  /// Time offsets of the sensors, and whether they were taken off; nil where that was not asked for.
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

/// What `fuse` did with several logs.
struct FusionDocuments: Encodable {
  var datasets: [FusionDocument]
  /// Datasets of an earlier run that were kept.
  var kept: [String]
  /// Why the other logs were not fused, a line each.
  var failures: [String]
}

extension LogAlignment.Entry {
  /// A line for people.
  var sentence: String {
    guard let offset else { return "\(channel): no time offset told (\(reason ?? "no reason"))" }
    let size = "\(fixed(abs(offset.seconds) * 1000, 1)) ± \(fixed(offset.uncertainty * 1000, 1)) ms"
    let what =
      offset.isSignificant
      ? "\(size) \(offset.seconds > 0 ? "late" : "early") against the gyroscope"
      : "on the gyroscope's clock (\(fixed(offset.seconds * 1000, 1)) ± \(fixed(offset.uncertainty * 1000, 1)) ms)"
    let done = isApplied == true ? "taken off; " : ""
    return "\(channel): \(what); \(done)residual \(fixed(offset.residualRatio * 100, 0)) % of that at other lags, "
      + "\(offset.stretchCount) stretches of motion"
  }
}

extension FusionDocument.Declination {
  /// A line for people.
  fileprivate var sentence: String {
    let side = degrees < 0 ? "west" : "east"
    let site = place == .log ? "the log's place" : "the place given"
    let when =
      switch date {
      case .given: "the date given"
      case .log: "the log's date"
      case .newestModel: "the newest model's epoch"
      }
    return "declination \(fixed(abs(degrees), 2))° \(side), \(model) at \(fixed(latitude, 4)), \(fixed(longitude, 4)) "
      + "(\(site)) in \(fixed(decimalYear, 2)) (\(when))"
  }
}

/// The same for people.
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
    let leftOut = document.rowsLeftOut > 0 ? ", \(document.rowsLeftOut) times in gaps left out" : ""
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
