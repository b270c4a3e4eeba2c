import ArgumentParser
package import Inertial
import InertialEssentials
import InertialNumerics
internal import InertialSystem

/// Why a request was not done: one line, and whose fault it is.
package struct CommandFailure: Error {
  package enum Kind: Int32, Sendable {
    /// The command's exit statuses.
    case badData = 1, usage = 2
    /// The caller asked for the end.
    case stopped = 3
  }

  package var kind: Kind
  package var message: String

  package init(kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }
}

/// What came of a request.
package struct CommandAnswer: Sendable {
  /// A table of numbers.
  package struct Table: Sendable {
    /// "motion" for fused rows; else the channel's name.
    package var name: String
    package var block: ColumnBlock
  }

  /// What the subcommand prints with `--json`.
  package var document: String
  /// The rows that were fused, or the samples of each channel that were read.
  package var tables: [Table] = []
  fileprivate var fusion: (job: FusionJob, report: FusionJob.Report)?
}

/// The subcommands for a program that holds the command as a library: their words in, what they find out. Their options,
/// defaults and messages are the command's own.
package struct CommandDoor {
  /// A log in the caller's memory, in place of the path; nil: the words name the log.
  package var held: HeldTable?
  /// Called now and then with the share that is done, 0 to 1; false asks for the end.
  package var progress: (Double) -> Bool

  package init(held: HeldTable? = nil, progress: @escaping (Double) -> Bool = { _ in true }) {
    (self.held, self.progress) = (held, progress)
  }

  /// The subcommands that answer.
  package static let names = [
    "fuse", "restore", "read", "inspect", "evaluate", "shake", "activity", "steps", "altitude", "filters", "formats",
  ]

  /// Options for printed output, which an answer does not have.
  private static let printing = ["--json", "--csv", "--summary", "--details"]

  /// Does what the words say, the subcommand's first.
  package func answer(_ words: [String]) throws(CommandFailure) -> CommandAnswer {
    let stop = StopFlag()
    func tell(_ share: Double) {
      if !stop.isRaised, !progress(share) { stop.raise() }
    }
    do {
      return try answer(words, LogAccess(held: held, stop: stop), tell)
    } catch {
      throw stop.isRaised
        ? CommandFailure(kind: .stopped, message: "stopped by the caller") : Self.failure(error)
    }
  }

  private func answer(
    _ words: [String], _ access: LogAccess, _ progress: (Double) -> Void
  ) throws -> CommandAnswer {
    var arguments = Array(words.dropFirst())
    if let option = arguments.prefix(while: { $0 != "--" }).first(where: Self.printing.contains) {
      throw FusionError.usage("\(option) is for printed output; leave it out")
    }
    if words.first == "restore" { return try restore(arguments) }
    if held != nil { arguments += arguments.contains("--") ? [HeldTable.name] : ["--", HeldTable.name] }
    func document<Command: AnsweringCommand>(of command: Command.Type) throws -> CommandAnswer {
      let command = try Self.parsed(command, arguments)
      return CommandAnswer(document: try jsonText(try command.document(access, progress: progress)))
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
        "there is no '\(word ?? "")' to ask for; there are \(Self.names.joined(separator: ", "))")
    }
  }

  /// One log to rows in memory, or with `-o` to files.
  private func fuse(
    _ arguments: [String], _ access: LogAccess, _ progress: (Double) -> Void
  ) throws -> CommandAnswer {
    let command = try Self.parsed(FuseCommand.self, arguments)
    guard command.inputs.count == 1 else {
      throw FusionError.usage("one log is fused at a time, and \(command.inputs.count) are given")
    }
    guard !command.following.follow, !command.batch.resume, command.batch.partition == nil else {
      throw FusionError.usage("--follow, --resume and --partition are the command's; run inertial fuse for them")
    }
    var options = try command.fusionOptions()
    options.log = access.applied(to: options.log)
    guard let output = command.writing.file.output else {
      if let option = command.writingOption {
        throw FusionError.usage("\(option) is for a file, and these rows stay in memory; say it when they are written")
      }
      // The rows have no name: none is held against formats.
      var job = FusionJob(input: command.inputs[0], output: "", options: options)
      job.isOverlapped = command.batch.jobs != 1
      let (block, report) = try job.block(progress: progress)
      return CommandAnswer(
        document: try jsonText(FusionDocument(job, report)), tables: [.init(name: "motion", block: block)],
        fusion: (job, report))
    }
    var job = FusionJob(input: command.inputs[0], output: output, options: options)
    job.isOverlapped = command.batch.jobs != 1
    return CommandAnswer(document: try jsonText(FusionDocument(job, try job.run(progress: progress))))
  }

  /// Fused rows that another process has made, which are held, with the answer's document: the same answer in this process.
  ///
  /// - Parameter arguments: the document; then the words of `fuse`, with the log's path, or `HeldTable.name`, after "--".
  private func restore(_ arguments: [String]) throws -> CommandAnswer {
    guard let held, let document = arguments.first,
      let facts = try? JSONDecoder().decode(RestoredDocument.self, from: Data(document.utf8))
    else { throw FusionError.usage("restore takes the rows and the document of an answer of fuse") }
    let command = try Self.parsed(FuseCommand.self, Array(arguments.dropFirst()))
    let job = FusionJob(input: command.inputs[0], output: "", options: try command.fusionOptions())
    var log = LogDescription(format: facts.format, summary: facts.formatDescription, path: facts.input)
    (log.notes, log.epoch) = (facts.notes, facts.logEpoch)
    let (block, report) = try job.restored(
      held, log: log, declination: try facts.declination?.restored(), timeOrigin: facts.timeOrigin)
    return CommandAnswer(document: document, tables: [.init(name: "motion", block: block)], fusion: (job, report))
  }

  /// Every sample of a log, channel by channel.
  private func read(
    _ arguments: [String], _ access: LogAccess, _ progress: (Double) -> Void
  ) throws -> CommandAnswer {
    let command = try Self.parsed(ReadRequest.self, arguments)
    var options = access.applied(to: try command.log.options)
    if let names = command.withChannels {
      options.auxiliary = try ChannelSelection(names: commaSeparated(names)).wanted
    }
    let (tables, summary) = try SampleTables.read(command.input, options, progress: progress)
    return CommandAnswer(
      document: try jsonText(ReadDocument(summary)), tables: tables.map { .init(name: $0.name, block: $0.block) })
  }

  fileprivate static func parsed<Command: ParsableCommand>(
    _ type: Command.Type, _ arguments: [String]
  ) throws -> Command {
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw FusionError.usage("an option has the character of number 0 in it")
    }
    do {
      return try LastRequest.parsed(arguments)
    } catch {
      // Help and the list of options are what a person asks the command for.
      throw FusionError.usage(Command.message(for: error))
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

extension CommandAnswer {
  /// Writes fused rows to files, as `fuse` would have.
  ///
  /// - Parameter words: `-o`, `--format`, `--digits`, `--lists`, `--force` and so on, as for `fuse`.
  package func write(_ words: [String]) throws(CommandFailure) {
    guard let fusion, let rows = tables.first else {
      throw CommandFailure(kind: .usage, message: "there are no fused rows to write")
    }
    do {
      let request = try CommandDoor.parsed(OutputRequest.self, words)
      guard let output = request.file.output, output != "-" else { throw FusionError.usage("-o FILE is missing") }
      var job = fusion.job
      job.output = output
      // Facts have no file of their own here.
      job.options.writesMetadata = false
      try request.file.apply(to: &job.options)
      job.options.log.stop = nil
      _ = try job.write(rows.block, fusion.report)
    } catch {
      throw CommandDoor.failure(error)
    }
  }
}

/// A fusion whose samples come one by one.
package struct CommandStream {
  private var stream: FusionStream
  private let queue: RowQueue
  /// The names of the numbers of a row that comes out.
  package let columns: [FusedColumn]

  /// - Parameters:
  ///   - words: options of `fuse`.
  ///   - names: of the numbers of a row that goes in, as in the header of a CSV.
  package init(_ words: [String], names: [String]) throws(CommandFailure) {
    do {
      let command = try FuseCommand.parse(words + ["--", HeldTable.name])
      if let option = command.writingOption ?? command.batchOption {
        throw FusionError.usage("\(option) is not for a stream, whose rows stay in memory; leave it out")
      }
      queue = RowQueue()
      stream = try FusionStream(names: names, options: try command.fusionOptions(), table: queue)
      columns = stream.columns
      queue.width = columns.count
    } catch {
      let isOurs = error is FusionError || error is LogError
      throw CommandDoor.failure(isOurs ? error : FusionError.usage(FuseCommand.message(for: error)))
    }
  }

  /// Numbers of a row that goes in.
  package var width: Int { stream.width }

  /// Takes the samples of one time; NaN is no sample.
  package mutating func append(_ numbers: [Double]) throws(CommandFailure) {
    do {
      try stream.append(numbers)
    } catch {
      throw CommandDoor.failure(error)
    }
  }

  /// No more samples will come.
  package mutating func finish() throws(CommandFailure) {
    do {
      try stream.finish()
    } catch {
      throw CommandDoor.failure(error)
    }
  }

  /// Gives rows that are known and were not given yet, as many as there is room for.
  package func take(into rows: UnsafeMutableBufferPointer<Double>) -> Int { queue.take(into: rows, columns.count) }
}

/// Rows that wait to be taken.
private final class RowQueue: TableWriter {
  /// Numbers of a row, known once the stream is.
  var width = 1
  private var numbers: [Double] = []
  private var start = 0
  private(set) var rowCount = 0

  func append(_ rows: UnsafeBufferPointer<Double>) {
    numbers.append(contentsOf: rows)
    rowCount += rows.count / max(width, 1)
  }

  func take(into rows: UnsafeMutableBufferPointer<Double>, _ width: Int) -> Int {
    let count = min((numbers.count - start) / max(width, 1), rows.count / max(width, 1))
    for index in 0..<(count * width) { rows[index] = numbers[start + index] }
    start += count * width
    if start == numbers.count {
      numbers.removeAll(keepingCapacity: true)
      start = 0
    }
    return count
  }

  func flush() {}
  func close() {}
}

/// The request that was made last. A program asks the same of one log after another, and to understand the words takes
/// longer than to fuse a hundred samples. What options name, such as files, is read anew each time.
private enum LastRequest {
  /// A command is a value that is only read.
  private struct Kept: @unchecked Sendable {
    var arguments: [String]
    var command: any ParsableCommand
  }

  private static let kept = SharedState<Kept?>(nil)

  static func parsed<Command: ParsableCommand>(_ arguments: [String]) throws -> Command {
    let last = kept.withLock { $0 }
    if let last, last.arguments == arguments, let command = last.command as? Command { return command }
    let command = try Command.parse(arguments)
    kept.withLock { $0 = Kept(arguments: arguments, command: command) }
    return command
  }
}

/// What is said of a log that is read and not fused.
private struct ReadRequest: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "read")

  @Argument var input: String
  @Option var withChannels: String?
  @OptionGroup var log: LogArguments
}

/// Where rows that are there already go.
private struct OutputRequest: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "write")

  @OptionGroup var file: FileArguments
}

extension FuseCommand {
  /// A given option that only concerns how files are written, or nil.
  fileprivate var writingOption: String? {
    let given: [(Bool, String)] = [
      (writing.file.format != nil, "--format"), (writing.file.digits != nil, "--digits"),
      (writing.file.force, "--force"), (writing.file.lists, "--lists"), (writing.metadata, "--metadata"),
      (writing.file.header.headerUnits, "--header-units"),
    ]
    return given.first(where: \.0)?.1
  }

  /// A given option that only concerns how several logs, or a whole one, are fused to files, or nil.
  fileprivate var batchOption: String? {
    let given: [(Bool, String)] = [
      (writing.file.output != nil, "--output"), (batch.partition != nil, "--partition"), (batch.resume, "--resume"),
      (batch.jobs != nil, "--jobs"), (writing.json, "--json"), (sound.sound != nil, "--sound"),
    ]
    return given.first(where: \.0)?.1
  }
}

/// The facts in a document of `fuse` by which its rows are written.
private struct RestoredDocument: Decodable {
  var input: String
  var format: String
  var formatDescription: String
  var notes: [String]
  var epoch: Double?
  var timeOrigin: Double?
  var declination: FusionDocument.Declination?

  /// UNIX time of the log's time 0: `epoch` is the sum of it and the origin, rounded.
  var logEpoch: Double? {
    guard let epoch, let timeOrigin else { return epoch }
    let difference = epoch - timeOrigin
    return [difference, difference.nextDown, difference.nextUp].first { $0 + timeOrigin == epoch } ?? difference
  }
}

extension FusionDocument.Declination {
  fileprivate func restored() throws(GeomagnetismError) -> MagneticDeclination? {
    let site = Place(latitude: latitude, longitude: longitude, altitude: altitude)
    return try MagneticDeclination(
      given: PlaceAndDate(place: place == .given ? site : nil, year: date == .given ? decimalYear : nil),
      log: PlaceAndDate(place: place == .log ? site : nil, year: date == .log ? decimalYear : nil))
  }
}

/// What a log that was read is.
private struct ReadDocument: Encodable {
  var input: String
  var format: String
  var formatDescription: String
  var notes: [String]
  /// UNIX time of time 0, where the log says.
  var epoch: Double?
  var referenceFrame: String?
  var warnings: [String]

  init(_ summary: LogSummary) {
    let log = summary.description
    (input, format, formatDescription, notes) = (log.path, log.format, log.summary, log.notes)
    (epoch, referenceFrame, warnings) = (log.epoch, log.referenceFrame, summary.warnings)
  }
}
