import ArgumentParser
import Inertial

// Reference lists that are too long for the help of a subcommand: `inertial help channels`, `inertial help columns`.

/// A page of help that does nothing else.
protocol HelpTopic: ParsableCommand {}

extension HelpTopic {
  func run() throws { throw CleanExit.helpRequest(self) }
}

/// `inertial help columns`
struct ColumnsTopic: HelpTopic {
  static let configuration = CommandConfiguration(
    commandName: "columns",
    abstract: "The columns of a fused dataset, with their units.",
    discussion: """
      Columns: \(FusedColumn.standard.map { "\($0.name) (\($0.unit))" }.joined(separator: ", ")). The heading is in \
      degrees, all other angles in radians.

      Further columns for --columns-out:
      \(further)

      Columns of what the filter made of its measurements, empty in rows without one. 'innovations' stands for all that \
      the filter has. A test ratio above 1 is beyond what chance explains, and the verdict is the reason:
      \(innovations)

      Recognisers for --with. They run beside the fusion; each row has what was known at its time, whatever comes \
      later; with --smooth activities, steps, altitudes and paths are told by the whole log. Where --gaps splits the dataset they restart in each segment:
      \(recognisers)
      """,
    shouldDisplay: false)

  private static var recognisers: String {
    Recognition.allCases.map { recognition in
      let needs = recognition.channels.sorted().map(\.name).joined(separator: " or ")
      let columns = recognition.columns.map { "\n    \($0.name): \($0.meaning) (\($0.unit))" }.joined()
      let use =
        needs.isEmpty ? "" : recognition.needsChannels ? "; needs \(needs)" : "; uses \(needs) where the log has it"
      return "  \(recognition.rawValue): \(recognition.meaning)\(use)\(columns)"
    }
    .joined(separator: "\n")
  }

  private static var innovations: String {
    var lines: [String] = []
    for kind in MeasurementKind.ofAttitude {
      let own = FusedColumn.innovations.filter { $0.measurement == kind }
      let filters = FilterKind.all.filter { $0.measurementKinds(smoothing: false).contains(kind) }.map(\.name)
      lines.append("  of \(filters.joined(separator: ", ")):")
      lines += own.map { "    \($0.name): \($0.meaning) (\($0.unit))" }
    }
    return lines.joined(separator: "\n")
  }

  private static var further: String {
    FusedColumn.all.dropFirst(FusedColumn.standard.count).map { "  \($0.name): \($0.meaning) (\($0.unit))" }
      .joined(separator: "\n")
  }
}

/// `inertial help channels`
struct ChannelsTopic: HelpTopic {
  static let configuration = CommandConfiguration(
    commandName: "channels",
    abstract: "What else a phone records: the channels of fuse --with-channels.",
    discussion: """
      Each channel with its columns and their units. In a dataset each has one column more, the age of its value in \
      seconds. Events go to OUTPUT.events.csv.

      \(channels)
      """,
    shouldDisplay: false)

  private static var channels: String {
    AuxiliaryChannel.allCases.map { channel in
      let columns = channel.fields.map { "\($0.name) (\($0.unit))" } + channel.textFields
      return "  \(channel.name): \(columns.joined(separator: ", "))" + (channel.isEvent ? "; in OUTPUT.events.csv" : "")
    }
    .joined(separator: "\n")
  }
}
