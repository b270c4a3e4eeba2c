public import Foundation

/// A finished program.
public struct Program: Sendable {
  public let status: Int32
  public let output: String
  public let errors: String
  /// The signal that ended the program, which is also the status, or `nil` if it exited.
  public let signal: Int32?

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - executable: The program, or a name that is searched on the path.
  ///   - input: The standard input.
  ///   - environment: Variables in addition to those of the tests.
  public static func run(
    _ executable: String, _ arguments: [String] = [], in folder: URL? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> Program {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable.contains("/") ? executable : "/usr/bin/env")
    process.arguments = (executable.contains("/") ? [] : [executable]) + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Uses files, as a full pipe would block the program.
    let scratch = TemporaryFolder()
    scratch.write(input, to: "stdin")
    scratch.write("", to: "stdout")
    scratch.write("", to: "stderr")
    process.standardInput = try FileHandle(forReadingFrom: scratch.url.appendingPathComponent("stdin"))
    process.standardOutput = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("stdout"))
    process.standardError = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("stderr"))
    try process.run()
    process.waitUntilExit()
    // Names of files need not be UTF-8.
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: scratch.url.appendingPathComponent(name)), as: UTF8.self)
    }
    return Program(
      status: process.terminationStatus, output: try text("stdout"), errors: try text("stderr"),
      signal: process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil)
  }
}
