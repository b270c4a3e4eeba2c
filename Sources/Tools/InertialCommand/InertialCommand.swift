import ArgumentParser
import Inertial
import InertialSystem

struct InertialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inertial",
    abstract:
      "Inertial sensor fusion: raw accelerometer, gyroscope and magnetometer logs in, fused datasets out.",
    discussion: """
      Exit status: 0 = done, 1 = bad data (one line says file, line, column, what is wrong, what to do), \
      2 = bad usage. Control-C, SIGTERM and SIGHUP remove what is not whole, and end the command as signals do.

      Reference lists: 'inertial help columns' (of a dataset), 'inertial help channels' (what else a phone records).
      """,
    version: ToolVersion.current,
    subcommands: [
      FuseCommand.self, TrackCommand.self, PlotCommand.self, InspectCommand.self,
      EvaluateCommand.self, TuneCommand.self, SimulateCommand.self, ConvertCommand.self,
      FiltersCommand.self, FormatsCommand.self, ShakeCommand.self, ActivityCommand.self,
      StepsCommand.self, AltitudeCommand.self, ReportCommand.self, AllanCommand.self,
      CalibrateCommand.self, EvaluateEventsCommand.self, ServeCommand.self, ColumnsTopic.self,
      ChannelsTopic.self,
    ])

  /// The words behind the command's name, where they are not the program's own arguments.
  @TaskLocal static var words: [String]?

  /// The parser's own entry point ends with other exit codes than the command's contract.
  static func main(_ arguments: [String]?) async -> Never {
    Interruption.watch()
    do {
      var command = try parseAsRoot(arguments ?? ownArguments)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Console.exit(0)
    } catch let error as FusionError {
      if error != .readerHasGone { Console.error(error.description) }
      Console.exit(error.exitCode)
    } catch let error as LogError {
      Console.error(error.description)
      Console.exit(1)
    } catch {
      end(with: error)
    }
  }

  /// The arguments after the program's name. An argument that is not UTF-8 is the name of a file.
  private static var ownArguments: [String] {
    let words = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      words[index].map { String(path: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  private static func end(with error: any Error) -> Never {
    let message = fullMessage(for: error)
    switch exitCode(for: error) {
    case .success:
      Page.standard.text(message)
      Console.exit(0)
    case .validationFailure:
      Console.text(message)
      Console.exit(2)
    case let code:
      if !message.isEmpty { Console.text(message) }
      Console.exit(code.rawValue)
    }
  }
}

/// What the process needs before the command; to be called before anything is awaited, as Swift's threads trap where no
/// file can be opened any more.
package func beginInertialProcess() { Console.begin() }

/// The command as a program runs it: the process ends with it.
///
/// - Parameter arguments: the words behind the command's name; nil: the program's own. Those are not looked at before there
///   is known to be room for an open file, from which they are read.
package func runInertialCommand(_ arguments: [String]? = nil) async {
  await InertialCommand.$words.withValue(arguments) { () async -> Void in await InertialCommand.main(arguments) }
}
