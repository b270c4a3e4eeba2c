internal import InertialSensors

/// The marks of meta/time.csv: when an experiment was started and paused.
///
/// The experiment's clock stands still in a pause, so that the samples' stamps run on over it without a gap. `clock` puts
/// the pauses back, by the phone's own clock.
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
      guard !mark.isStart, next.isStart else { return nil }
      let length = next.system - mark.system
      return (mark.experiment, length > 0 ? length : Self.unknownLength)
    }
  }

  /// Taken for a pause in which the phone's clock was set back: longer than what filters interpolate over, seconds.
  static let unknownLength = 1.0

  /// From the experiment's clock to one that runs on in pauses; nil where there are none.
  var clock: PhyphoxClock? {
    let pauses = pauses
    return pauses.isEmpty ? nil : PhyphoxClock(pauses: pauses)
  }

  /// A sentence about the pauses; nil where there are none.
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
      : "; \(unknown) of unknown length, as the phone's clock was set back, taken as \(Self.rounded(Self.unknownLength)) s"
    return "time: the experiment's clock stands still in pauses, which meta/time.csv puts back as gaps: \(count) of "
      + "\(Self.rounded(total)) s in all, the first at \(Self.rounded(first.time)) s\(guessed)"
  }

  /// The marks as annotations, on the clock that runs on in pauses.
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

/// Turns seconds of an experiment into seconds since its start that count the pauses, too.
struct PhyphoxClock: Sendable, Equatable {
  /// Where the experiment's clock stood still, in order.
  private let times: [Double]
  /// Seconds of pauses up to each, itself included.
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

  /// Of a sample: what stands at a pause's own time comes after it, as the next start has that time, too.
  func seconds(_ experiment: Double) -> Double {
    // A log has a few dozen pauses at most.
    var place = times.count - 1
    while place >= 0, experiment < times[place] { place -= 1 }
    return place < 0 ? experiment : experiment + sums[place]
  }

  /// Of the moment at which a pause begins.
  func seconds(before experiment: Double) -> Double {
    guard let place = times.lastIndex(where: { $0 < experiment }) else { return experiment }
    return experiment + sums[place]
  }
}
