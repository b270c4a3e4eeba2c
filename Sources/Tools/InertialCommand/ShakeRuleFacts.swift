import Inertial
import InertialSystem

/// A shake detector with its parameters: defaults, ranges, and published or customary values.
struct ShakeRuleFacts: Encodable {
  var name: String
  var summary: String
  var source: String
  /// Whether the original stops at the first detection.
  var isOneShot: Bool
  var parameters: [ShakeDetectorKind.ParameterFacts]

  init(_ kind: ShakeDetectorKind) {
    (name, summary, source) = (kind.name, kind.summary, kind.source)
    (isOneShot, parameters) = (kind.isOneShot, kind.parameters)
  }

  static func printTable(_ rules: [ShakeRuleFacts]) {
    for rule in rules {
      let stop = rule.isOneShot ? "; stops after the first shake" : ""
      printWrapped("\(rule.name): ", "\(rule.summary)\(stop) (\(rule.source))", indent: 2)
    }
    Page.standard.line("")
    row("detector", "parameter", "default", "unit", "customary", "range", "meaning")
    for rule in rules {
      for facts in rule.parameters {
        let customary =
          if let low = facts.customaryMinimum, let high = facts.customaryMaximum { span(low, high) } else { "-" }
        row(
          rule.name, facts.name, plain(facts.defaultValue), facts.unit, customary, span(facts.minimum, facts.maximum),
          facts.meaning)
      }
    }
    Page.standard.line(
      "\n--set name=value sets a parameter of all detectors that have it, --set detector.name=value of one")
  }

  private static func row(
    _ detector: String, _ parameter: String, _ value: String, _ unit: String, _ customary: String, _ range: String,
    _ meaning: String
  ) {
    Page.standard.line(
      padded(detector, 15), padded(parameter, 19), padded(value, 9, left: true), padded(unit, 4), padded(customary, 12),
      padded(range, 12), meaning)
  }

  private static func span(_ low: Double, _ high: Double) -> String { "\(plain(low)) to \(plain(high))" }
  private static func plain(_ value: Double) -> String { String(cFormat: "%g", value) }
}
