import ArgumentParser
import Inertial

// Commands that only print a help page, for reference lists that are too long for the help of a subcommand.

/// The help page `inertial help columns`.
struct ColumnsTopic: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "columns",
    abstract: "List the columns of a fused dataset, with their units.",
    discussion: """
      Columns: \(FusedColumn.standard.map { "\($0.name) (\($0.unit))" }.joined(separator: ", ")). The heading is in \
      degrees, all other angles in radians.

      Additional columns for --columns-out:
      \(further)

      Columns of the measurement outcomes, empty in rows without a measurement. 'innovations' stands for all of them that \
      the filter has. A test ratio above 1 is significant, and the verdict is the reason:
      \(innovations)

      Recognisers for --with. For a file, activities, steps, altitudes and paths use the whole log; in a stream, and \
      with --online, they use earlier samples only, as all others do. If --gaps splits the dataset, they restart in each segment:
      \(recognisers)
      """,
    shouldDisplay: false)

  private static var recognisers: String {
    Recognition.allCases.map { recognition in
      let needs = recognition.channels.sorted().map(\.name).joined(separator: " or ")
      let columns = recognition.columns.map { "\n    \($0.name): \($0.meaning) (\($0.unit))" }.joined()
      let use =
        needs.isEmpty ? "" : recognition.needsChannels ? "; needs \(needs)" : "; uses \(needs) if available"
      return "  \(recognition.rawValue): \(recognition.meaning)\(use)\(columns)"
    }
    .joined(separator: "\n")
  }

  private static var innovations: String {
    var lines: [String] = []
    for kind in MeasurementKind.ofAttitude {
      let own = FusedColumn.innovations.filter { $0.measurement == kind }
      let filters = FilterKind.all.filter { $0.measurementKinds(smoothing: false).contains(kind) }.map(\.name)
      lines.append("  for \(filters.joined(separator: ", ")):")
      lines += own.map { "    \($0.name): \($0.meaning) (\($0.unit))" }
    }
    return lines.joined(separator: "\n")
  }

  private static var further: String {
    FusedColumn.all.dropFirst(FusedColumn.standard.count).map { "  \($0.name): \($0.meaning) (\($0.unit))" }
      .joined(separator: "\n")
  }
}

/// The help page `inertial help channels`.
struct ChannelsTopic: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channels",
    abstract: "List the other channels of a phone, for fuse --with-channels.",
    discussion: """
      Each channel with its columns and their units. In a dataset each channel has an additional column, the age of its \
      value in seconds. Events are written to OUTPUT.events.csv.

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
