package import InertialSensors

/// Reads a BIDS-Motion recording (Brain Imaging Data Structure 1.9, "Motion"): `*_motion.tsv`, a table without a
/// header, `*_channels.tsv`, which describes its columns, and `*_motion.json` with the sample rate.
///
/// The units come from the channel table. BIDS does not define the sign of acceleration: it is treated as specific
/// force unless the channels have Inertial's names. Times come from the LATENCY channel if present, else from the row
/// number and the rate. If there are several tracked points, the first with acceleration is read.
package struct BIDSMotionReader: LogReader {
  private static let suffix = "_motion.tsv"

  private var table: CSVLogReader
  private let notes: [String]
  private let path: String

  /// Whether a file is the table of a recording: it has the name that BIDS prescribes and a channel table next to it.
  static func recognizes(_ path: String) -> Bool {
    path.hasSuffix(suffix) && BIDSChannel.recognizes(path: beside(path, "_channels.tsv"))
  }

  private static func beside(_ path: String, _ end: String) -> String { path.dropLast(suffix.count) + end }

  /// Opens `*_motion.tsv`.
  package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    guard path.hasSuffix(Self.suffix) else {
      throw LogError(
        path: path, problem: "the name does not end with \(Self.suffix)",
        remedy: "give the table of a BIDS-Motion recording with its original name")
    }
    self.path = path
    let channelsPath = Self.beside(path, "_channels.tsv")
    let channels = try BIDSChannel.read(path: channelsPath)
    let points = BIDSChannel.points(channels)
    guard let point = points.first else {
      throw LogError(
        path: channelsPath, problem: "no tracked point with ACCEL channels x, y and z",
        remedy: "give the recording of an inertial tracking system")
    }
    var notes: [String] = []
    if points.count > 1 {
      notes.append(
        "tracked point: \(point), the first; not read: \(points.dropFirst().prefix(12).joined(separator: ", "))")
    }
    var options = options
    options.columns = BIDSChannel.columns(channels, of: point)
    // A BIDS-Motion recording has no auxiliary channels.
    options.auxiliary = []
    if !channels.contains(where: { $0.type == "LATENCY" }), options.sampleRate == nil {
      options.sampleRate = try Self.rate(Self.beside(path, "_motion.json"))
      if let rate = options.sampleRate { notes.append("time: \(rate) Hz, from the recording's .json") }
    }
    let skipped = zip(channels, options.columns ?? []).filter { $1 == "-" && $0.trackedPoint == point }
    if !skipped.isEmpty {
      notes.append("channels not read: \(skipped.prefix(12).map(\.0.name).joined(separator: ", "))")
    }
    self.notes = notes
    do throws(LogError) {
      table = try CSVLogReader(path: path, options: options)
    } catch {
      throw Self.explained(error)
    }
  }

  package var description: LogDescription {
    var description = table.description
    description.format = "bids-motion"
    description.summary = "BIDS-Motion recording"
    description.notes = notes + description.notes
    return description
  }

  package var emptyCounts: [SensorChannel: Int] { table.emptyCounts }
  package var progress: Double { table.progress }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    do throws(LogError) {
      return try table.read(into: &batch)
    } catch {
      throw Self.explained(error)
    }
  }

  /// Replaces references to options in the table reader's errors with references to the channels.
  private static func explained(_ error: LogError) -> LogError {
    var error = error
    error.problem = error.problem.replacing("--columns names", with: "channels.tsv has")
    error.remedy = error.remedy.replacing(", or name the columns with --columns", with: ", or add a LATENCY channel")
    return error
  }

  /// Returns the rate in the JSON file, in Hz: the measured rate if present, else the nominal rate, or `nil` if both
  /// are missing.
  private static func rate(_ path: String) throws(LogError) -> Double? {
    guard let file = try? InputFile(path: path) else { return nil }
    let text = String(decoding: try file.readBytes(upTo: 1 << 20), as: UTF8.self)
    for key in ["\"SamplingFrequencyEffective\"", "\"SamplingFrequency\""] {
      guard let position = text.firstRange(of: key) else { continue }
      let rest = text[position.upperBound...].drop { $0.isWhitespace }
      guard rest.first == ":" else { continue }
      let number = rest.dropFirst().drop { $0.isWhitespace }.prefix { "+-.0123456789eE".contains($0) }
      if let rate = Double(number), rate.isFinite, rate > 0 { return rate }
    }
    return nil
  }
}

extension LogFormat {
  /// The format of BIDS-Motion recordings.
  static var bidsMotion: LogFormat {
    LogFormat(
      id: "bids-motion", title: "BIDS-Motion recording",
      recognition: "*_motion.tsv next to a *_channels.tsv with the columns name, component, type and units",
      units: "from channels.tsv; acceleration is specific force unless specified otherwise; time from "
        + "the LATENCY channel, otherwise from the rate in *_motion.json",
      recognizes: { $0.folder == nil && BIDSMotionReader.recognizes($0.path) },
      open: { path, options throws(LogError) in try BIDSMotionReader(path: path, options: options) })
  }
}
