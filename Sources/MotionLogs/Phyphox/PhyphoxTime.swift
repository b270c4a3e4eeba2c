internal import Sensors

/// The marks of meta/time.csv: when an experiment was started and paused.
///
/// The experiment's clock stands still in a pause, so that the samples' times run on over it without a gap.
struct PhyphoxTime {
  struct Mark {
    var isStart: Bool
    /// Seconds on the experiment's clock.
    var experiment: Double
    /// UNIX time in seconds.
    var system: Double
  }

  private(set) var marks: [Mark] = []

  /// Reads the file's text; marks of other kinds than START and PAUSE are passed over.
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

  /// Whether a first line is that of such a file.
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

  /// UNIX time of time 0.
  var epoch: Double? { marks.first { $0.isStart }.map { $0.system - $0.experiment } }

  /// The pauses between starts: where on the experiment's clock, and how long in seconds of real time.
  var pauses: [(time: Double, length: Double)] {
    zip(marks, marks.dropFirst()).compactMap { mark, next in
      !mark.isStart && next.isStart ? (mark.experiment, next.system - mark.system) : nil
    }
  }

  /// A sentence about the pauses; nil where there are none.
  var note: String? {
    guard let first = pauses.first else { return nil }
    let total = pauses.reduce(0) { $0 + $1.length }
    let count = pauses.count == 1 ? "1 pause" : "\(pauses.count) pauses"
    return "time: experiment time, which stands still in \(count) of \(Self.rounded(total)) s in all, the first at "
      + "\(Self.rounded(first.time)) s: the device may have moved in between, unseen"
  }

  /// The marks as annotations.
  var annotations: [AuxiliarySample] {
    marks.map { mark in
      var sample = AuxiliarySample(time: mark.experiment, channel: .annotation)
      sample[text: "annotation"] = mark.isStart ? "START" : "PAUSE"
      return sample
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
