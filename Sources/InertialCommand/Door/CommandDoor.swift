import ArgumentParser
package import Inertial
internal import Synchronization

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
    "fuse", "read", "inspect", "evaluate", "shake", "activity", "steps", "altitude", "filters", "formats",
  ]

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
    guard !command.following.follow, !command.writing.resume, command.writing.partition == nil else {
      throw FusionError.usage("--follow, --resume and --partition are the command's; run inertial fuse for them")
    }
    var options = try command.fusionOptions()
    options.log = access.applied(to: options.log)
    guard let output = command.writing.output else {
      // The rows have no name: none is held against formats.
      let job = FusionJob(input: command.inputs[0], output: "", options: options)
      let (block, report) = try job.block(progress: progress)
      return CommandAnswer(
        document: try jsonText(FusionDocument(job, report)), tables: [.init(name: "motion", block: block)],
        fusion: (job, report))
    }
    let job = FusionJob(input: command.inputs[0], output: output, options: options)
    return CommandAnswer(document: try jsonText(FusionDocument(job, try job.run(progress: progress))))
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

  private static func parsed<Command: ParsableCommand>(
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
      guard let writing = try? OutputRequest.parse(words) else {
        throw FusionError.usage("these options say nothing of an output: \(words.joined(separator: " "))")
      }
      guard let output = writing.writing.output, output != "-" else { throw FusionError.usage("-o FILE is missing") }
      var job = fusion.job
      job.output = output
      job.options.formats = try writing.writing.format.map(DatasetFormat.list) ?? []
      (job.options.digits, job.options.force) = (writing.writing.digits, writing.writing.force)
      job.options.writesLists = writing.writing.lists
      job.options.writesUnits = writing.headerUnits
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

  private static let kept = Mutex<Kept?>(nil)

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

  @OptionGroup var writing: OutputArguments
  @Flag var headerUnits = false
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
