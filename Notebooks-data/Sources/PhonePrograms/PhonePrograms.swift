// Runs small phone programs over recordings: shake detectors, the relative attitude, a collector of sixteen kinds of data,
// shake to undo. Prints their counts, and exits with 1 if a count is not the expected one.
//
// swift run --package-path Notebooks-data PhonePrograms            the simulated logs, and INERTIAL_DATA's if it is set
// swift run --package-path Notebooks-data PhonePrograms LOG...     your own logs: prints the counts
//   --sample-rate HZ    for logs without times
// INERTIAL_BIN=.build/release: the folder of the command; with it the programs also run on a live stream.
import CoreMotionCompatibility
import Foundation
import UIKitCompatibility

@main struct PhonePrograms {
  static func main() async {
    do {
      let logs = try logs(CommandLine.arguments.dropFirst())
      var report = Report()
      try await ShakeCounts.run(logs, &report)
      try await TiltCheck.run(logs, &report)
      try await CollectorCheck.run(logs, &report)
      if logs.isEmpty {
        try await StateCheck.run(&report)
        try await UndoCheck.run(&report)
        try await AppsCheck.run(&report)
        try await LiveCheck.run(&report)
      }
      if report.failures > 0 { leave("\(report.failures) of the counts are not what they should be", status: 1) }
    } catch let error as UsageError {
      leave("\(error.text); usage: PhonePrograms [--sample-rate HZ] [LOG ...]", status: 2)
    } catch {
      leave("\(error)", status: 1)
    }
  }

  /// Returns a log in the folder of simulated logs.
  static func simulated(_ name: String) -> Log { Log(path: "Notebooks-data/logs/\(name)") }

  /// Returns a recording of `INERTIAL_DATA`, or `nil` if the variable is not set.
  static func recording(_ name: String, sampleRate: Double? = nil) -> Log? {
    guard let folder = ProcessInfo.processInfo.environment["INERTIAL_DATA"], !folder.isEmpty else { return nil }
    return Log(path: "\(folder)/\(name)", sampleRate: sampleRate)
  }

  private static func logs(_ arguments: ArraySlice<String>) throws(UsageError) -> [Log] {
    var (paths, rate, rest) = ([String](), Double?.none, arguments)
    while let word = rest.popFirst() {
      guard word == "--sample-rate" else {
        guard !word.hasPrefix("-") else { throw UsageError(text: "there is no option \(word)") }
        paths.append(word)
        continue
      }
      guard let value = rest.popFirst().flatMap(Double.init), value > 0 else {
        throw UsageError(text: "--sample-rate needs a number of hertz above 0")
      }
      rate = value
    }
    return paths.map { Log(path: $0, sampleRate: rate) }
  }

  private static func leave(_ text: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("PhonePrograms: \(text)\n".utf8))
    exit(status)
  }
}

/// A log for the programs.
struct Log {
  var path: String
  /// The sample rate for a log without times, in Hz.
  var sampleRate: Double?

  var name: String { (path as NSString).lastPathComponent }
}

private struct UsageError: Error {
  var text: String
}
