import TestSupport

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
  func shell(_ script: String, _ arguments: [String], environment: [String: String] = [:]) throws -> End {
    let ended = try Program.run(
      "/bin/sh", ["-c", script, "sh", Self.executable.path] + arguments, in: folder, environment: environment)
    // The shell reports a signal as a status above 128.
    let signal = ended.signal ?? (ended.status > 128 ? ended.status - 128 : nil)
    return End(status: signal == nil ? ended.status : nil, signal: signal, errors: ended.errors, output: ended.output)
  }

  /// Starts the command without waiting for it.
  func start(
    _ arguments: [String], input: Any? = nil, output: Any? = nil, errors: Any? = nil,
    environment: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = errors ?? FileHandle.nullDevice
    try process.run()
    return process
  }
}
