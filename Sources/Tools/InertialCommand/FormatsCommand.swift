import ArgumentParser
import Inertial

struct FormatsCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the kinds of logs that are read: how each is recognised, its units, sign and clock.",
    discussion: """
      A log is held against them in this order; the first that fits is taken. 'inertial inspect LOG' says which one \
      it was and why.

      Examples:
        inertial formats                 every format
        inertial formats xsens           one of them
        inertial formats --json          all of it for a script
      """)

  @Argument(help: ArgumentHelp("Formats to show.", valueName: "name"))
  var names: [String] = []

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  struct Facts: Encodable {
    var name: String
    var title: String
    /// "file" or "folder".
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
