import ArgumentParser
import Inertial

struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters", abstract: "List the filters with their parameters, units, defaults and ranges.")

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  private struct Document: Encodable {
    var name: String
    var summary: String
    var source: String
    var parameters: [FilterKind.ParameterFacts]
  }

  func run() throws {
    if json {
      try printJSON(
        FilterKind.all.map {
          Document(name: $0.name, summary: $0.summary, source: $0.source, parameters: $0.parameters)
        })
      return
    }
    for kind in FilterKind.all {
      print("\(kind.name): \(kind.summary)")
      print("  \(kind.source)")
      for facts in kind.parameters {
        print(
          "  \(padded(facts.name, 28)) \(padded("\(facts.defaultValue)", 8, left: true)) \(padded(facts.unit, 10)) \(facts.meaning)"
        )
      }
      print("")
    }
  }
}
