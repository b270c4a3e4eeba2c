import ArgumentParser
import Inertial
import InertialSystem

struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters", abstract: "List the filters, or show one in detail with its parameters.",
    discussion: """
      Examples:
        inertial filters                 all filters, one or two lines each
        inertial filters kalman          one filter: source, parameters, units, defaults, ranges, meaning
        inertial filters --json          all details as JSON
      """)

  @Argument(help: ArgumentHelp("The filters to show in detail.", valueName: "name"))
  var names: [String] = []

  @Flag(help: "Show every filter in detail.")
  var details = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  func validate() throws {
    if details, json || !names.isEmpty {
      throw ValidationError(
        "--details applies to the list of all filters; \(json ? "--json" : "a name") includes the details")
    }
  }

  func run() throws {
    let kinds = try FilterKind.all.requested(names)
    if json {
      try printJSON(kinds.map(\.document))
    } else if names.isEmpty && !details {
      printList(kinds)
    } else {
      for (index, kind) in kinds.enumerated() {
        if index > 0 { Page.standard.line("") }
        printDetails(kind)
      }
    }
  }

  private func printList(_ kinds: [FilterKind]) {
    let names = kinds.map { $0.name + ($0.name == FilterKind.standard.name ? " (default)" : "") }
    let width = names.map(\.count).max() ?? 0
    for (kind, name) in zip(kinds, names) { printWrapped(padded(name, width) + "  ", kind.summary) }
    Page.standard.line("\n'inertial filters NAME' shows a filter's source and parameters")
  }

  private func printDetails(_ kind: FilterKind) {
    printWrapped("\(kind.name): ", kind.summary, indent: 2)
    printWrapped("  source  ", kind.source)
    printWrapped("  traits  ", kind.traits.words.joined(separator: ", "))
    guard !kind.parameters.isEmpty else { return }
    let nameWidth = max(9, kind.parameters.map(\.name.count).max() ?? 0)
    let unitWidth = max(4, kind.parameters.map(\.unit.count).max() ?? 0)
    let ranges = kind.parameters.map { facts in
      facts.words?.joined(separator: " or ") ?? "\(significant(facts.minimum)) to \(significant(facts.maximum))"
    }
    let rangeWidth = max(5, ranges.map(\.count).max() ?? 0)
    Page.standard.line(
      "\n  " + padded("parameter", nameWidth), right("default", 9), padded("unit", unitWidth),
      padded("range", rangeWidth))
    for (parameter, range) in zip(kind.parameters, ranges) {
      Page.standard.line(
        "  " + padded(parameter.name, nameWidth),
        right(parameter.text(parameter.defaultValue, number: { significant($0) }), 9),
        padded(parameter.unit, unitWidth), range)
      printWrapped("      ", parameter.meaning)
    }
    if !kind.classicalNames.isEmpty {
      Page.standard.line("\n  parameters in the literature, as functions of the parameters above")
      for name in kind.classicalNames {
        printWrapped(
          "  " + padded(name.name, nameWidth) + " " + right(significant(name.defaultValue), 9) + " "
            + padded(name.unit, unitWidth) + " ", name.meaning)
      }
    }
    Page.standard.line(
      "\n  --set \(kind.parameters[0].name)=\(significant(kind.parameters[0].defaultValue)) sets a parameter")
  }
}
