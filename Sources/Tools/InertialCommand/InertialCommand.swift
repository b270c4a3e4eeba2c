package import ArgumentParser
import Inertial
import InertialSystem

struct InertialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inertial",
    abstract:
      "Fuse raw accelerometer, gyroscope and magnetometer logs into datasets, and analyse them.",
    discussion: """
      Exit status: 0 = success, 1 = data error (one line with file, line, column, problem and remedy), \
      2 = usage error. Control-C, SIGTERM and SIGHUP remove incomplete output and end the command with the signal.

      Reference lists: 'inertial help columns' (of a dataset), 'inertial help channels' (other channels of a phone).
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

  /// The arguments after the command's name, or `nil` for the program's own arguments.
  @TaskLocal static var arguments: [String]?
}

extension ParsableCommand {
  /// Runs the command as a program, with the documented exit statuses instead of the parser's.
  package static func runProgram() async -> Never {
    Interruption.watch()
    do {
      var command = try parseAsRoot(InertialCommand.arguments ?? ownArguments)
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

  /// The arguments after the program's name. An argument that is not UTF-8 is a file name.
  private static var ownArguments: [String] {
    let arguments = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      arguments[index].map { String(path: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
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

/// Prepares the process. Call it before anything is awaited, as Swift's threads trap if no more files can be opened.
package func beginInertialProcess() { Console.begin() }

/// Runs the command as a program, which ends the process.
///
/// - Parameter arguments: The arguments after the command's name, or `nil` for the program's own. The latter are only
///   read after the check that a file can be opened, as they are read from a file.
package func runInertialCommand(_ arguments: [String]? = nil) async {
  await InertialCommand.$arguments.withValue(arguments) { () async -> Void in await InertialCommand.runProgram() }
}
