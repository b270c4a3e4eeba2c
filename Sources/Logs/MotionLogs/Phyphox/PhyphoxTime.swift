internal import InertialSensors

/// The marks of meta/time.csv: the starts and pauses of an experiment.
///
/// The experiment's clock stops during a pause, so that the samples' timestamps have no gap. `clock` adds the pauses
/// back, based on the phone's clock.
struct PhyphoxTime {
  struct Mark {
    var isStart: Bool
    /// The time on the experiment's clock, in seconds.
    var experiment: Double
    /// The UNIX time, in seconds.
    var system: Double
  }

  private(set) var marks: [Mark] = []

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
  }

  /// Whether a first line is the header of such a file.
  static func isHeader(_ line: Substring) -> Bool {
    line.contains("\"experiment time\"") && line.contains("\"system time\"")
  }

  private static func mark(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> Mark? {
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: separator != .comma && line.contains(0x2C))
    guard let event = fields.nextText(), event == "START" || event == "PAUSE",
      case .value(let experiment) = fields.nextNumber(), case .value(let system) = fields.nextNumber(),
      experiment.isFinite, system.isFinite
    else { return nil }
    return Mark(isStart: event == "START", experiment: experiment, system: system)
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

  /// The conversion from the experiment's clock to a clock that includes pauses, or `nil` without pauses.
  var clock: PhyphoxClock? {
    let pauses = pauses
    return pauses.isEmpty ? nil : PhyphoxClock(pauses: pauses)
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
    let clock = clock
    return marks.map { mark in
      let time = clock.map { mark.isStart ? $0.seconds(mark.experiment) : $0.seconds(before: mark.experiment) }
      var sample = AuxiliarySample(time: time ?? mark.experiment, channel: .annotation)
      sample[text: "annotation"] = mark.isStart ? "START" : "PAUSE"
      return sample
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

/// Converts the time of an experiment to the time since its start including pauses, in seconds.
struct PhyphoxClock: Sendable, Equatable {
  /// The times on the experiment's clock at which it stopped, in ascending order.
  private let times: [Double]
  /// The total duration up to and including each pause, in seconds.
  private let sums: [Double]

  init(pauses: [(time: Double, length: Double)]) {
    let pauses = pauses.sorted { $0.time < $1.time }
    times = pauses.map(\.time)
    var sum = 0.0
    sums = pauses.map {
      sum += $0.length
      return sum
    }
  }

  /// Converts the time of a sample. A sample exactly at a pause counts as after it, as the next start has the same
  /// time.
  func seconds(_ experiment: Double) -> Double {
    // A log has a few dozen pauses at most.
    var index = times.count - 1
    while index >= 0, experiment < times[index] { index -= 1 }
    return index < 0 ? experiment : experiment + sums[index]
  }

  /// Converts the time at which a pause begins.
  func seconds(before experiment: Double) -> Double {
    guard let index = times.lastIndex(where: { $0 < experiment }) else { return experiment }
    return experiment + sums[index]
  }
}
