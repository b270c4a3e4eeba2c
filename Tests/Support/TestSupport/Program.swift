public import Foundation

/// A finished program.
public struct Program: Sendable {
  public let status: Int32
  public let output: String
  public let errors: String

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
    return Program(
      status: process.terminationStatus, output: scratch.text("stdout"), errors: scratch.text("stderr"))
  }
}
