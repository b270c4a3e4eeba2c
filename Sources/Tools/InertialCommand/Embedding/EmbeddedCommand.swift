import ArgumentParser
package import Inertial
import InertialEssentials
import InertialNumerics
internal import InertialSystem

/// The failure of a request: a message, and the kind of the failure.
package struct CommandFailure: Error {
  package enum Kind: Int32, Sendable {
    /// The command's exit statuses.
    case badData = 1, usage = 2
    /// The caller has stopped the request.
    case stopped = 3
  }

  package var kind: Kind
  package var message: String

  package init(kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }
}

/// The result of a request.
package struct CommandResult: Sendable {
  /// A table of numbers.
  package struct Table: Sendable {
    /// The name: "motion" for fused rows; otherwise the channel's name.
    package var name: String
    package var block: ColumnBlock
  }

  /// The output of the subcommand with `--json`.
  package var document: String
  /// The fused rows, or the samples of each channel that was read.
  package var tables: [Table] = []
  fileprivate var fusion: FusionJob.Report?
}

/// Runs subcommands in a program that uses the command as a library: takes their arguments and returns their results.
/// Options, defaults and messages are the same as the command's.
package struct EmbeddedCommand {
  /// A log in the caller's memory, or `nil` if the arguments specify the log.
  package var held: InMemoryTable?
  /// A closure that is called periodically with the completed fraction, 0 to 1; it returns `false` to stop.
  package var progress: (Double) -> Bool

  package init(held: InMemoryTable? = nil, progress: @escaping (Double) -> Bool = { _ in true }) {
    (self.held, self.progress) = (held, progress)
  }

  /// The supported subcommands.
  package static let names = [
    "fuse", "restore", "read", "inspect", "evaluate", "shake", "activity", "steps", "altitude", "filters", "formats",
  ]

  /// The options for printed output, which do not apply.
  private static let printing = ["--json", "--csv", "--summary", "--details"]

  /// Runs the subcommand with its arguments; the first word is the subcommand.
  package func run(_ words: [String]) throws(CommandFailure) -> CommandResult {
    let stop = StopFlag()
    func report(_ fraction: Double) {
      if !stop.isRaised, !progress(fraction) { stop.raise() }
    }
    do {
      return try run(words, LogAccess(held: held, stop: stop), report)
    } catch {
      throw stop.isRaised
        ? CommandFailure(kind: .stopped, message: "stopped by the caller") : Self.failure(error)
    }
  }

  private func run(
    _ words: [String], _ access: LogAccess, _ progress: (Double) -> Void
  ) throws -> CommandResult {
    var arguments = Array(words.dropFirst())
    if let option = arguments.prefix(while: { $0 != "--" }).first(where: Self.printing.contains) {
      throw FusionError.usage("\(option) is for printed output; leave it out")
    }
    if words.first == "restore" { return try restore(arguments) }
    if held != nil { arguments += arguments.contains("--") ? [InMemoryTable.name] : ["--", InMemoryTable.name] }
    func document<Command: DocumentCommand>(of command: Command.Type) throws -> CommandResult {
      let command = try Self.parsed(command, arguments)
      return CommandResult(document: try jsonText(try command.document(access, progress: progress)))
    }
    switch words.first {
    case "fuse": return try fuse(arguments, access, progress)
    case "read": return try read(arguments, access, progress)
    case "inspect": return try document(of: InspectCommand.self)
    case "evaluate": return try document(of: EvaluateCommand.self)
    case "shake": return try document(of: ShakeCommand.self)
    case "activity": return try document(of: ActivityShowCommand.self)
    case "steps": return try document(of: StepsCommand.self)
    case "altitude": return try document(of: AltitudeCommand.self)
    case "filters": return try document(of: FiltersCommand.self)
    case "formats": return try document(of: FormatsCommand.self)
    case let word:
      throw FusionError.usage(
        "unknown request '\(word ?? "")'; use \(Self.names.joined(separator: ", "))")
    }
  }

  /// Fuses a log to rows in memory, or to files with `-o`.
  private func fuse(
    _ arguments: [String], _ access: LogAccess, _ progress: (Double) -> Void
  ) throws -> CommandResult {
    let command = try Self.parsed(FuseCommand.self, arguments)
    guard command.inputs.count == 1 else {
      throw FusionError.usage("fuse expects one log, found \(command.inputs.count)")
    }
    guard !command.following.follow, !command.batch.resume, command.batch.partition == nil else {
      throw FusionError.usage(
        "--follow, --resume and --partition are available only on the command line; run inertial fuse")
    }
    var options = try command.fusionOptions()
    options.log = access.applied(to: options.log)
    guard let output = command.writing.file.output else {
      if let option = command.writingOption {
        throw FusionError.usage(
          "\(option) applies to a file, but these rows stay in memory; pass it when the rows are written")
      }
      // The rows have no file name, so no check of formats applies.
      var job = FusionJob(input: command.inputs[0], output: "", options: options)
      job.isOverlapped = command.batch.jobs != 1
      let (block, report) = try job.block(progress: progress)
      return CommandResult(
        document: try jsonText(report), tables: [.init(name: "motion", block: block)], fusion: report)
    }
    var job = FusionJob(input: command.inputs[0], output: output, options: options)
    job.isOverlapped = command.batch.jobs != 1
    return CommandResult(document: try jsonText(try job.run(progress: progress)))
  }

  /// Restores the result of another process from its fused rows, which are in memory, and its document.
  ///
  /// - Parameter arguments: The document, followed by the arguments of `fuse`, with the log's path, or
  ///   `InMemoryTable.name`, after "--".
  private func restore(_ arguments: [String]) throws -> CommandResult {
    guard let held, let document = arguments.first,
      let facts = try? JSONDecoder().decode(RestoredDocument.self, from: Data(document.utf8))
    else { throw FusionError.usage("restore expects the rows and the document of a result of fuse") }
    let command = try Self.parsed(FuseCommand.self, Array(arguments.dropFirst()))
    let job = FusionJob(input: command.inputs[0], output: "", options: try command.fusionOptions())
    var log = LogDescription(format: facts.format, summary: facts.formatDescription, path: facts.input)
    (log.notes, log.epoch) = (facts.notes, facts.logEpoch)
    let (block, report) = try job.restored(
      held, log: log, declination: try facts.declination?.restored(), timeOrigin: facts.timeOrigin)
    return CommandResult(document: document, tables: [.init(name: "motion", block: block)], fusion: report)
  }

  /// Reads every sample of a log, by channel.
  private func read(
    _ arguments: [String], _ access: LogAccess, _ progress: (Double) -> Void
  ) throws -> CommandResult {
    let command = try Self.parsed(ReadRequest.self, arguments)
    var options = access.applied(to: try command.log.options)
    if let names = command.withChannels {
      options.auxiliary = try ChannelSelection(names: commaSeparated(names)).wanted
    }
    let (tables, summary) = try SampleTables.read(command.input, options, progress: progress)
    return CommandResult(
      document: try jsonText(ReadDocument(summary)), tables: tables.map { .init(name: $0.name, block: $0.block) })
  }

  fileprivate static func parsed<Arguments: ParsableArguments>(
    _ type: Arguments.Type, _ arguments: [String]
  ) throws -> Arguments {
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw FusionError.usage("an argument contains a NUL character")
    }
    do {
      return try ParsedCommandCache.parsed(arguments)
    } catch {
      // Help and the list of options are only for interactive use.
      throw FusionError.usage(Arguments.message(for: error))
    }
  }

  fileprivate static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as FusionError:
      CommandFailure(kind: error.exitCode == 1 ? .badData : .usage, message: error.description)
    case let error as LogError: CommandFailure(kind: .badData, message: error.description)
    case let error as CommandFailure: error
    default: CommandFailure(kind: .badData, message: "\(error)")
    }
  }
}

extension CommandResult {
  /// Writes fused rows to files, as `fuse` does.
  ///
  /// - Parameter words: The output options of `fuse`: `-o`, `--format`, `--digits`, `--lists`, `--force` and so on.
  package func write(_ words: [String]) throws(CommandFailure) {
    guard let fusion, let rows = tables.first else {
      throw CommandFailure(kind: .usage, message: "there are no fused rows to write")
    }
    do {
      let request = try EmbeddedCommand.parsed(FileArguments.self, words)
      guard let output = request.output, output != "-" else { throw FusionError.usage("-o FILE is missing") }
      var job = fusion.job
      job.output = output
      // The metadata is not written to a file here.
      job.options.writesMetadata = false
      try request.apply(to: &job.options)
      job.options.log.stop = nil
      _ = try job.write(rows.block, fusion)
    } catch {
      throw EmbeddedCommand.failure(error)
    }
  }
}

/// A fusion of samples that arrive one by one.
package struct CommandStream {
  private var stream: FusionStream
  /// The columns of an output row.
  package var columns: [FusedColumn] { stream.columns }

  /// Begins a fusion.
  ///
  /// - Parameters:
  ///   - words: The options of `fuse`.
  ///   - names: The names of the values in an input row, as in the header of a CSV.
  package init(_ words: [String], names: [String]) throws(CommandFailure) {
    do {
      let command = try FuseCommand.parse(words + ["--", InMemoryTable.name])
      if let option = command.writingOption ?? command.batchOption {
        throw FusionError.usage("\(option) does not apply to a stream, whose rows stay in memory; leave it out")
      }
      stream = try FusionStream(names: names, options: try command.fusionOptions())
    } catch {
      let isOurs = error is FusionError || error is LogError
      throw EmbeddedCommand.failure(isOurs ? error : FusionError.usage(FuseCommand.message(for: error)))
    }
  }

  /// The number of values in an input row.
  package var width: Int { stream.width }

  /// Appends the samples of one epoch; NaN is a missing sample.
  package mutating func append(_ numbers: [Double]) throws(CommandFailure) {
    do {
      try stream.append(numbers)
    } catch {
      throw EmbeddedCommand.failure(error)
    }
  }

  /// Finishes the input and makes the pending rows available.
  package mutating func finish() throws(CommandFailure) {
    do {
      try stream.finish()
    } catch {
      throw EmbeddedCommand.failure(error)
    }
  }

  /// Copies pending rows to the buffer, as many as fit, and returns their number.
  package func take(into rows: UnsafeMutableBufferPointer<Double>) -> Int { stream.takeRows(into: rows) }
}

/// A cache of the last request. A program often repeats a request for several logs, and parsing its arguments takes
/// longer than fusing a hundred samples. Files that are named in options are read each time.
private enum ParsedCommandCache {
  /// A command is an immutable value.
  private struct Kept: @unchecked Sendable {
    var arguments: [String]
    var command: any ParsableArguments
  }

  private static let kept = SharedState<Kept?>(nil)

  static func parsed<Command: ParsableArguments>(_ arguments: [String]) throws -> Command {
    let last = kept.withLock { $0 }
    if let last, last.arguments == arguments, let command = last.command as? Command { return command }
    let command = try Command.parse(arguments)
    kept.withLock { $0 = Kept(arguments: arguments, command: command) }
    return command
  }
}

/// The arguments for a log that is read but not fused.
private struct ReadRequest: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "read")

  @Argument var input: String
  @Option var withChannels: String?
  @OptionGroup var log: LogArguments
}

extension FuseCommand {
  /// The first given option that only concerns the writing of files, or `nil`.
  fileprivate var writingOption: String? {
    let given: [(Bool, String)] = [
      (writing.file.format != nil, "--format"), (writing.file.digits != nil, "--digits"),
      (writing.file.force, "--force"), (writing.file.lists, "--lists"), (writing.metadata, "--metadata"),
      (writing.file.header.headerUnits, "--header-units"),
    ]
    return given.first(where: \.0)?.1
  }

  /// The first given option that only concerns fusing several logs, or a whole log, to files, or `nil`.
  fileprivate var batchOption: String? {
    let given: [(Bool, String)] = [
      (writing.file.output != nil, "--output"), (batch.partition != nil, "--partition"), (batch.resume, "--resume"),
      (batch.jobs != nil, "--jobs"), (writing.json, "--json"), (extra.sound.sound != nil, "--sound"),
    ]
    return given.first(where: \.0)?.1
  }
}

/// The members of a document of `fuse` that are needed to write its rows.
private struct RestoredDocument: Decodable {
  var input: String
  var format: String
  var formatDescription: String
  var notes: [String]
  var epoch: Double?
  var timeOrigin: Double?
  var declination: Declination?

  struct Declination: Decodable {
    var latitude: Double
    var longitude: Double
    var altitude: Double
    var place: MagneticDeclination.Origin
    var decimalYear: Double
    var date: MagneticDeclination.Origin

    func restored() throws(GeomagnetismError) -> MagneticDeclination? {
      let site = Place(latitude: latitude, longitude: longitude, altitude: altitude)
      return try MagneticDeclination(
        given: PlaceAndDate(place: place == .given ? site : nil, year: date == .given ? decimalYear : nil),
        log: PlaceAndDate(place: place == .log ? site : nil, year: date == .log ? decimalYear : nil))
    }
  }

  /// The UNIX time of the log's time 0: `epoch` is the rounded sum of it and the origin.
  var logEpoch: Double? {
    guard let epoch, let timeOrigin else { return epoch }
    let difference = epoch - timeOrigin
    return [difference, difference.nextDown, difference.nextUp].first { $0 + timeOrigin == epoch } ?? difference
  }
}

/// The description of a log that was read.
private struct ReadDocument: Encodable {
  var input: String
  var format: String
  var formatDescription: String
  var notes: [String]
  /// The UNIX time of time 0, if the log specifies it.
  var epoch: Double?
  var referenceFrame: String?
  var warnings: [String]

  init(_ summary: LogSummary) {
    let log = summary.description
    (input, format, formatDescription, notes) = (log.path, log.format, log.summary, log.notes)
    (epoch, referenceFrame, warnings) = (log.epoch, log.referenceFrame, summary.warnings)
  }
}
