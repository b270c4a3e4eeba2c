internal import InertialSensors

/// The marks of meta/time.csv: the starts and pauses of an experiment.
///
/// The experiment's clock stops during a pause, so that the samples' timestamps have no gap. `seconds` adds the pauses
/// back, based on the phone's clock.
struct PhyphoxTime: Sendable {
  /// The starts and pauses: the time on the experiment's clock, and the UNIX time, both in seconds.
  private(set) var marks: [(isStart: Bool, experiment: Double, system: Double)] = []
  /// The pauses before later starts, sorted by time: the time on the experiment's clock at which it stopped, and the
  /// total duration up to and including the pause, both in seconds.
  private var stops: [(time: Double, total: Double)] = []

  /// Parses the file's text; marks other than START and PAUSE are skipped.
  init(text: String) {
    for line in text.split(whereSeparator: \.isNewline).dropFirst() {
      Array(line.utf8).withUnsafeBytes { bytes in
        for separator in [FieldSeparator.comma, .semicolon, .tab] {
          guard let mark = Self.mark(bytes, separator) else { continue }
          marks.append(mark)
          return
        }
      }
    }
    var total = 0.0
    stops = pauses.sorted { $0.time < $1.time }.map {
      total += $0.length
      return ($0.time, total)
    }
  }

  /// Whether a first line is the header of such a file.
  static func isHeader(_ line: Substring) -> Bool {
    line.contains("\"experiment time\"") && line.contains("\"system time\"")
  }

  private static func mark(
    _ line: UnsafeRawBufferPointer, _ separator: FieldSeparator
  ) -> (isStart: Bool, experiment: Double, system: Double)? {
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: separator != .comma && line.contains(0x2C))
    guard let event = fields.nextText(), event == "START" || event == "PAUSE",
      case .value(let experiment) = fields.nextNumber(), case .value(let system) = fields.nextNumber(),
      experiment.isFinite, system.isFinite
    else { return nil }
    return (event == "START", experiment, system)
  }

  /// The UNIX time of time 0.
  var epoch: Double? { marks.first { $0.isStart }.map { $0.system - $0.experiment } }

  /// The pauses before later starts: the time on the experiment's clock, and the real duration, both in seconds.
  var pauses: [(time: Double, length: Double)] {
    zip(marks, marks.dropFirst()).compactMap { mark, next in
      guard !mark.isStart, next.isStart else { return nil }
      let length = next.system - mark.system
      return (mark.experiment, length > 0 ? length : Self.unknownLength)
    }
  }

  /// The assumed length of a pause in which the phone's clock was set back, in seconds: longer than filters
  /// interpolate.
  static let unknownLength = 1.0

  /// Converts the time of a sample to the time since the experiment's start including pauses, in seconds. A sample
  /// exactly at a pause counts as after it, as the next start has the same time.
  func seconds(_ experiment: Double) -> Double {
    // A log has a few dozen pauses at most.
    var index = stops.count - 1
    while index >= 0, experiment < stops[index].time { index -= 1 }
    return index < 0 ? experiment : experiment + stops[index].total
  }

  /// Converts the time at which a pause begins.
  func seconds(before experiment: Double) -> Double {
    stops.last { $0.time < experiment }.map { experiment + $0.total } ?? experiment
  }

  /// A sentence about the pauses, or `nil` without pauses.
  var note: String? {
    let pauses = pauses
    guard let first = pauses.first else { return nil }
    let total = pauses.reduce(0) { $0 + $1.length }
    let count = pauses.count == 1 ? "1 pause" : "\(pauses.count) pauses"
    let unknown = zip(marks, marks.dropFirst()).count {
      !$0.isStart && $1.isStart && $1.system <= $0.system
    }
    let guessed =
      unknown == 0
      ? ""
      : "; \(unknown) of unknown length, as the phone's clock was set back, assumed to be \(Self.rounded(Self.unknownLength)) s"
    return "time: the experiment's clock stands still in pauses, which meta/time.csv inserts as gaps: \(count) of "
      + "\(Self.rounded(total)) s in all, the first at \(Self.rounded(first.time)) s\(guessed)"
  }

  /// The marks as annotations, on the clock that includes pauses.
  var annotations: [AuxiliarySample] {
    marks.map { mark in
      let time = mark.isStart ? seconds(mark.experiment) : seconds(before: mark.experiment)
      var sample = AuxiliarySample(time: time, channel: .annotation)
      sample[text: "annotation"] = mark.isStart ? "START" : "PAUSE"
      return sample
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
