import Foundation

extension CommandRunner {
  /// The result of a process.
  struct End {
    /// The exit status, or `nil` if a signal ended the process.
    var status: Int32?
    var signal: Int32?
    var errors: String
    var output: String

    var errorLines: [String] { errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }.map(String.init) }
  }

  /// Runs the command through a shell script, which sets its streams and limits: `"$@"` is the command
  /// with its arguments. Output and errors that the shell does not redirect are collected.
  func shell(
    _ script: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> End {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", Self.executable.path] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-shell-\(UUID().uuidString)")
    let (out, err) = (base.appendingPathExtension("out"), base.appendingPathExtension("err"))
    for url in [out, err] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
    defer { for url in [out, err] { try? FileManager.default.removeItem(at: url) } }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    var end = End(
      errors: String(decoding: try Data(contentsOf: err), as: UTF8.self),
      output: String(decoding: try Data(contentsOf: out), as: UTF8.self))
    // The shell reports a signal as a status above 128.
    if process.terminationReason == .uncaughtSignal {
      end.signal = process.terminationStatus
    } else if process.terminationStatus > 128 {
      end.signal = process.terminationStatus - 128
    } else {
      end.status = process.terminationStatus
    }
    return end
  }

  /// Starts the command without waiting for it.
  func start(_ arguments: [String], input: Any? = nil, environment: [String: String] = [:]) throws -> Process {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Waits for a condition, for at most a minute.
  func waits(until isSo: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<2400 {
      if try isSo() { return true }
      usleep(25_000)
    }
    return false
  }
}
