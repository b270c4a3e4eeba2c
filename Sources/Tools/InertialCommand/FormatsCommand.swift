import ArgumentParser
import Inertial
import InertialSystem

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the supported log formats: recognition, units, sign and clock.",
    discussion: """
      The formats are tried in this order; the first that matches is used. 'inertial inspect LOG' reports the format of a \
      log and the reason.

      Examples:
        inertial formats                 every format
        inertial formats xsens           one format
        inertial formats --json          all details as JSON
      """)

  @Argument(help: ArgumentHelp("The formats to show.", valueName: "name"))
  var names: [String] = []

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  func run() throws {
    let formats = try LogFormat.known(names)
    if json { return try printJSON(formats.map(\.document)) }
    for (index, format) in formats.enumerated() {
      if index > 0 { Page.standard.line("") }
      Page.standard.line("\(format.id): \(format.title)")
      printWrapped("  recognised by ", format.recognition)
      printWrapped("  units         ", format.units)
    }
  }
}
