import ArgumentParser
import Foundation
import Inertial

@main
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
      FuseCommand.self, PlotCommand.self, InspectCommand.self, EvaluateCommand.self, TuneCommand.self,
      SimulateCommand.self,
      ConvertCommand.self, FiltersCommand.self, FormatsCommand.self, ShakeCommand.self, ActivityCommand.self,
      StepsCommand.self, AltitudeCommand.self, ReportCommand.self, AllanCommand.self, CalibrateCommand.self,
      EvaluateEventsCommand.self, ColumnsTopic.self, ChannelsTopic.self,
    ])

  /// The parser's own entry point ends with other exit codes than the command's contract.
  static func main() async {
    Console.begin()
    Interruption.watch()
    do {
      var command = try parseAsRoot()
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

  private static func end(with error: any Error) -> Never {
    let message = fullMessage(for: error)
    switch exitCode(for: error) {
    case .success:
      Page.standard.line(message)
      Console.exit(0)
    case .validationFailure:
      Console.line(message)
      Console.exit(2)
    case let code:
      if !message.isEmpty { Console.line(message) }
      Console.exit(code.rawValue)
    }
  }
}
