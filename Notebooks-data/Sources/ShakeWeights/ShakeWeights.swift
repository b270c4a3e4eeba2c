// The weights of the reference shake detector, fitted on one participant and evaluated on the other:
//
//   swift run --package-path Notebooks-data -c release ShakeWeights LIST.json
//
// The list of recordings comes from Notebooks-data/studies/shake_weights.py, which runs this.
import Foundation
import Inertial

@main struct ShakeWeights {
  static func main() throws {
    guard let list = CommandLine.arguments.dropFirst().first else {
      print("usage: ShakeWeights LIST.json, as cross_validate_shakes.py writes it")
      exit(2)
    }
    let recordings = try JSONDecoder().decode([Recording].self, from: Data(contentsOf: URL(fileURLWithPath: list)))
    var windows = Windows()
    for recording in recordings { try windows.add(recording) }
    let persons = Set(windows.labelled.compactMap(\.person)).sorted()
    print(
      "\(windows.labelled.count) windows of 3 s of \(persons.joined(separator: ", ")); \(windows.others.count) recordings"
    )
    print("without a shake, \(tenths(windows.hours.reduce(0, +), 2)) h, every second one in each half\n")

    let names = ShakeReason.termNames
    print("| fitted on | " + names.joined(separator: " | ") + " | threshold | gap |")
    print("|---" + String(repeating: "|---", count: names.count + 2) + "|")
    let standard = Scorer(weights: ShakeReason.standardWeights, threshold: 6)
    print(row("default weights", standard, gap: nil))
    var evaluated: [(name: String, figures: Figures)] = []
    for (half, person) in persons.enumerated() {
      let fit = try Fit(windows.part(persons: [person], half: half % 2))
      print(row(person, fit, like: standard))
      let rest = windows.part(persons: Set(persons).subtracting([person]), half: (half + 1) % 2)
      evaluated.append(("fitted on \(person), evaluated on the rest", Figures(rest, by: fit.scorer)))
    }
    let whole = try Fit(windows.part(persons: Set(persons), half: nil))
    print(row("all", whole, like: standard))

    print("\n| | shake | chop | steering | rest | windows of 3 s elsewhere | hours |\n|---|---|---|---|---|---|---|")
    for (name, figures) in evaluated { print(figures.row(name)) }
    print(evaluated.map(\.figures).reduce(Figures(), +).row("**cross-validated**"))
    let everything = windows.part(persons: Set(persons), half: nil)
    print(Figures(everything, by: whole.scorer).row("fitted and evaluated on all"))
    print(Figures(everything, by: standard).row("default weights"))
  }

  /// Returns a table row in the units of another scorer.
  static func row(_ name: String, _ fit: Fit, like other: Scorer) -> String {
    let scale = other.sum / fit.scorer.sum
    return row(name, fit.scorer.scaled(by: scale), gap: fit.gap * scale)
  }

  static func row(_ name: String, _ scorer: Scorer, gap: Double?) -> String {
    let cells = (scorer.weights + [scorer.threshold]).map { tenths($0, 1) } + [gap.map { tenths($0, 1) } ?? ""]
    return "| \(name) | " + cells.joined(separator: " | ") + " |"
  }

  static func tenths(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}

extension Windows {
  /// Returns the windows of some participants, and of one half or all of the recordings without shakes.
  func part(persons: Set<String>, half: Int?) -> Windows {
    var part = Windows()
    part.labelled = labelled.filter { persons.contains($0.person ?? "") }
    for index in others.indices where half == nil || index % 2 == half {
      part.others.append(others[index])
      part.hours.append(hours[index])
    }
    return part
  }
}

/// The numbers of windows that a scorer classifies as shakes, by label and in recordings without shakes.
struct Figures {
  var counts: [String: (fired: Int, all: Int)] = [:]
  var alarms = 0
  var hours = 0.0

  init() {}

  init(_ windows: Windows, by scorer: Scorer) {
    for window in windows.labelled {
      counts[window.label, default: (0, 0)].all += 1
      if scorer.fires(window) { counts[window.label]!.fired += 1 }
    }
    alarms = windows.others.reduce(0) { $0 + $1.count(where: scorer.fires) }
    hours = windows.hours.reduce(0, +)
  }

  static func + (a: Figures, b: Figures) -> Figures {
    var sum = a
    for (label, count) in b.counts {
      sum.counts[label, default: (0, 0)].fired += count.fired
      sum.counts[label]!.all += count.all
    }
    sum.alarms += b.alarms
    sum.hours += b.hours
    return sum
  }

  func row(_ name: String) -> String {
    let cells = ["shake", "chop", "steering", "rest"].map { label in
      let count = counts[label] ?? (0, 0)
      return "\(count.fired) of \(count.all)"
    }
    return "| \(name) | " + (cells + ["\(alarms)", ShakeWeights.tenths(hours, 2)]).joined(separator: " | ") + " |"
  }
}
