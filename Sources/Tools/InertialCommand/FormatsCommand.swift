import ArgumentParser
import Inertial

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

  struct Facts: Encodable {
    var name: String
    var title: String
    /// The kind: "file" or "folder".
    var kind: String
    var recognition: String
    var units: String

    init(_ format: LogFormat) {
      (name, title, recognition, units) = (format.id, format.title, format.recognition, format.units)
      kind = format.isFolder ? "folder" : "file"
    }
  }

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

  func document(_: LogAccess, progress _: (Double) -> Void) throws -> [Facts] { try formats().map(Facts.init) }

  func run() throws {
    let formats = try formats()
    if json { return try printJSON(formats.map(Facts.init)) }
    for (index, format) in formats.enumerated() {
      if index > 0 { Page.standard.line("") }
      Page.standard.line("\(format.id): \(format.title)")
      printWrapped("  recognised by ", format.recognition)
      printWrapped("  units         ", format.units)
    }
  }
}
