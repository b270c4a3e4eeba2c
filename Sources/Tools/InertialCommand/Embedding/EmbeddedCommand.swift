import ArgumentParser
package import Inertial
import InertialEssentials
import InertialNumerics
internal import InertialSystem

/// A subcommand that ran in a program that uses the command as a library, with its result. Options, defaults and
/// messages are the same as the command's.
package struct EmbeddedCommand: Sendable {
  /// The output of the subcommand with `--json`.
  package let document: String
  /// The fused rows, with the name "motion", or the samples of each channel that was read, with the channel's name.
  package private(set) var tables: [(name: String, block: FusedTable)] = []
  /// The report on the fused rows, or `nil` if there are none.
  private var fusion: FusionJob.Report?

  /// The supported subcommands.
  package static let names = [
    "fuse", "restore", "read", "inspect", "evaluate", "shake", "activity", "steps", "altitude", "filters", "formats",
  ]

  /// The options for printed output, which do not apply.
  private static let printing = ["--json", "--csv", "--summary", "--details"]
  /// The last parsed arguments. A program often repeats a request for several logs, and parsing its arguments takes
  /// longer than fusing a hundred samples. Files that are named in options are read each time.
  private static let lastParsed = SharedState<(arguments: [String], command: any ParsableArguments)?>(nil)
}

extension EmbeddedCommand {
  /// Runs a subcommand.
  ///
  /// - Parameters:
  ///   - words: The subcommand, one of `names`, and its arguments.
  ///   - held: A log in the caller's memory, or `nil` if the arguments specify the log.
  ///   - progress: A closure that is called periodically with the completed fraction, 0 to 1; it returns `false` to
  ///     stop.
  /// - Throws: ``FusionError``, which is `stopped` if `progress` stopped the subcommand.
  package init(
    _ words: [String], held: InMemoryTable? = nil, progress: (Double) -> Bool = { _ in true }
  ) throws(FusionError) {
    let stop = StopFlag()
    var base = LogOptions()
    (base.held, base.stop) = (held, stop)
    do {
      self = try Self.run(words, base) { fraction in
        if !stop.isRaised, !progress(fraction) { stop.raise() }
      }
    } catch {
      throw stop.isRaised ? .stopped : Self.failure(error)
    }
  }

  private static func run(
    _ words: [String], _ base: LogOptions, _ progress: (Double) -> Void
  ) throws -> EmbeddedCommand {
    var arguments = Array(words.dropFirst())
    if let option = arguments.prefix(while: { $0 != "--" }).first(where: printing.contains) {
      throw FusionError.usage("\(option) is for printed output; leave it out")
    }
    if words.first == "restore" { return try restore(arguments, base.held) }
    if base.held != nil {
      arguments += arguments.contains("--") ? [InMemoryTable.name] : ["--", InMemoryTable.name]
    }
    func document<Command: DocumentCommand>(of command: Command.Type) throws -> EmbeddedCommand {
      let command = try parsed(command, arguments)
      return EmbeddedCommand(document: try jsonText(try command.document(base, progress: progress)))
    }
    switch words.first {
    case "fuse": return try fuse(arguments, base, progress)
    case "read": return try read(arguments, base, progress)
    case "inspect": return try document(of: InspectCommand.self)
    case "evaluate":
      let command = try parsed(EvaluateCommand.self, arguments)
      return EmbeddedCommand(document: try jsonText(try command.document(base, progress: progress)))
    case "shake": return try document(of: ShakeCommand.self)
    case "activity": return try document(of: ActivityShowCommand.self)
    case "steps": return try document(of: StepsCommand.self)
    case "altitude": return try document(of: AltitudeCommand.self)
    case "filters": return try document(of: FiltersCommand.self)
    case "formats": return try document(of: FormatsCommand.self)
    case let word:
      throw FusionError.usage("unknown request '\(word ?? "")'; use \(names.joined(separator: ", "))")
    }
  }

  /// Fuses a log to rows in memory, or to files with `-o`.
  private static func fuse(
    _ arguments: [String], _ base: LogOptions, _ progress: (Double) -> Void
  ) throws -> EmbeddedCommand {
    let command = try parsed(FuseCommand.self, arguments)
    guard command.inputs.count == 1 else {
      throw FusionError.usage("fuse expects one log, found \(command.inputs.count)")
    }
    guard !command.following.follow, !command.batch.resume, command.batch.partition == nil else {
      throw FusionError.usage(
        "--follow, --resume and --partition are available only on the command line; run inertial fuse")
    }
    let output = command.writing.file.output
    // Rows in memory have no file name, so no check of formats applies to them.
    var job = FusionJob(input: command.inputs[0], output: output ?? "", options: try command.fusionOptions())
    (job.options.log.held, job.options.log.stop) = (base.held, base.stop)
    job.isOverlapped = command.batch.cores != 1
    guard output == nil else { return EmbeddedCommand(document: try jsonText(try job.run(progress: progress))) }
    if let option = command.writingOption {
      throw FusionError.usage(
        "\(option) applies to a file, but these rows stay in memory; pass it when the rows are written")
    }
    let (table, report) = try job.table(progress: progress)
    return EmbeddedCommand(document: try jsonText(report), tables: [("motion", table)], fusion: report)
  }

  /// Restores the result of another process from its fused rows, which are in memory, and its document.
  ///
  /// - Parameter arguments: The document, followed by the arguments of `fuse`, with the log's path, or
  ///   `InMemoryTable.name`, after "--".
  private static func restore(_ arguments: [String], _ rows: InMemoryTable?) throws -> EmbeddedCommand {
    guard let rows, let document = arguments.first,
      let facts = try? JSONDecoder().decode(RestoredDocument.self, from: Data(document.utf8))
    else { throw FusionError.usage("restore expects the rows and the document of a result of fuse") }
    let command = try parsed(FuseCommand.self, Array(arguments.dropFirst()))
    let job = FusionJob(input: command.inputs[0], output: "", options: try command.fusionOptions())
    var log = LogDescription(format: facts.format, summary: facts.formatDescription, path: facts.input)
    (log.notes, log.epoch) = (facts.notes, facts.logEpoch)
    let (block, report) = try job.restored(
      rows, log: log, declination: try facts.declination?.restored(), timeOrigin: facts.timeOrigin)
    return EmbeddedCommand(document: document, tables: [("motion", block)], fusion: report)
  }

  /// Reads every sample of a log, by channel.
  private static func read(
    _ arguments: [String], _ base: LogOptions, _ progress: (Double) -> Void
  ) throws -> EmbeddedCommand {
    let command = try parsed(ReadRequest.self, arguments)
    var options = try command.log.options(over: base)
    if let names = command.withChannels {
      options.auxiliary = try ChannelSelection(names: commaSeparated(names)).wanted
    }
    let (tables, summary) = try FusedTable.samples(command.input, options, progress: progress)
    let log = summary.description
    let facts = EncodedObject([
      "input": log.path, "format": log.format, "formatDescription": log.summary, "notes": log.notes,
      "epoch": log.epoch, "referenceFrame": log.referenceFrame, "warnings": summary.warnings,
    ])
    return EmbeddedCommand(document: try jsonText(facts), tables: tables)
  }

  /// Writes fused rows to files, as `fuse` does.
  ///
  /// - Parameter words: The output options of `fuse`: `-o`, `--format`, `--digits`, `--lists`, `--force` and so on.
  package func write(_ words: [String]) throws(FusionError) {
    guard let fusion, let rows = tables.first else { throw .usage("there are no fused rows to write") }
    do {
      let request = try Self.parsed(FileArguments.self, words)
      guard let output = request.output, output != "-" else { throw FusionError.usage("-o FILE is missing") }
      var job = fusion.job
      job.output = output
      // The metadata is not written to a file here.
      job.options.writesMetadata = false
      try request.apply(to: &job.options)
      job.options.log.stop = nil
      _ = try job.write(rows.block, fusion)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Begins a fusion of samples that arrive one by one.
  ///
  /// - Parameters:
  ///   - words: The options of `fuse`.
  ///   - names: The names of the values in an input row, as in the header of a CSV.
  package static func stream(_ words: [String], names: [String]) throws(FusionError) -> FusionStream {
    do {
      let command = try FuseCommand.parse(words + ["--", InMemoryTable.name])
      if let option = command.writingOption ?? command.batchOption {
        throw FusionError.usage("\(option) does not apply to a stream, whose rows stay in memory; leave it out")
      }
      return try FusionStream(names: names, options: try command.fusionOptions())
    } catch {
      let isOurs = error is FusionError || error is LogError
      throw isOurs ? failure(error) : .usage(FuseCommand.message(for: error))
    }
  }

  private static func parsed<Arguments: ParsableArguments>(
    _ type: Arguments.Type, _ arguments: [String]
  ) throws -> Arguments {
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw FusionError.usage("an argument contains a NUL character")
    }
    let last = lastParsed.withLock { $0 }
    if let last, last.arguments == arguments, let command = last.command as? Arguments { return command }
    do {
      let command = try Arguments.parse(arguments)
      lastParsed.withLock { $0 = (arguments, command) }
      return command
    } catch {
      // Help and the list of options are only for interactive use.
      throw FusionError.usage(Arguments.message(for: error))
    }
  }

  private static func failure(_ error: any Error) -> FusionError {
    switch error {
    case let error as FusionError: error
    case let error as LogError: FusionError(error)
    default: .badData("\(error)")
    }
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
    firstGiven([
      "--format": writing.file.format != nil, "--digits": writing.file.digits != nil, "--force": writing.file.force,
      "--lists": writing.file.lists, "--metadata": writing.metadata, "--header-units": writing.file.headerUnits,
    ])
  }

  /// The first given option that only concerns fusing several logs, or a whole log, to files, or `nil`.
  fileprivate var batchOption: String? {
    firstGiven([
      "--output": writing.file.output != nil, "--partition": batch.partition != nil, "--resume": batch.resume,
      "--jobs": batch.cores != nil, "--json": writing.json, "--sound": extra.sound.sound != nil,
    ])
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
