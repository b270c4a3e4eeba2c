import Inertial
import InertialSystem

extension ShakeDetectorKind {
  /// Prints detectors with their parameters: defaults, ranges, and published or customary values.
  static func printTable(_ rules: [ShakeDetectorKind]) {
    for rule in rules {
      let stop = rule.isOneShot ? "; stops after the first shake" : ""
      printWrapped("\(rule.name): ", "\(rule.summary)\(stop) (\(rule.source))", indent: 2)
    }
    Page.standard.line("")
    func row(_ cells: [String]) {
      let widths = [15, 19, 9, 4, 12, 12, 0]
      // The defaults are numbers.
      let texts = cells.indices.map { $0 == 2 ? right(cells[$0], 9) : padded(cells[$0], widths[$0]) }
      Page.standard.line(texts.joined(separator: " "))
    }
    row(["detector", "parameter", "default", "unit", "customary", "range", "meaning"])
    for rule in rules {
      for facts in rule.parameters {
        let customary =
          if let low = facts.customaryMinimum, let high = facts.customaryMaximum { span(low, high) } else { "-" }
        row([
          rule.name, facts.name, significant(facts.defaultValue), facts.unit, customary,
          span(facts.minimum, facts.maximum), facts.meaning,
        ])
      }
    }
    Page.standard.line(
      "\n--set name=value sets a parameter of all detectors that have it, --set detector.name=value of one")
  }

  private static func span(_ low: Double, _ high: Double) -> String { "\(significant(low)) to \(significant(high))" }
}
