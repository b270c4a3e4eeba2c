import ArgumentParser
import Inertial
import InertialSystem

struct FormatsCommand: DocumentCommand {
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

  private func formats() throws -> [LogFormat] {
    guard !names.isEmpty else { return LogFormat.all }
    return try names.map { name in
      guard let format = LogFormat(id: name) else {
        throw FusionError.usage(
          "there is no format '\(name)'; there are \(LogFormat.all.map(\.id).joined(separator: ", "))")
      }
      return format
    }
  }

  func document(_: LogOptions, progress _: (Double) -> Void) throws -> [EncodedObject] {
    try formats().map { format in
      EncodedObject([
        "name": format.id, "title": format.title, "kind": format.isFolder ? "folder" : "file",
        "recognition": format.recognition, "units": format.units,
      ])
    }
  }

  func run() throws {
    if json { return try printJSON(try document(LogOptions()) { _ in }) }
    for (index, format) in try formats().enumerated() {
      if index > 0 { Page.standard.line("") }
      Page.standard.line("\(format.id): \(format.title)")
      printWrapped("  recognised by ", format.recognition)
      printWrapped("  units         ", format.units)
    }
  }
}
