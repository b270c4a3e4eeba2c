import Foundation
import InertialLogs
import TestSupport

/// Runs the built command in a separate folder, like a user.
final class CommandRunner {
  struct Result {
    var status: Int32
    var output: String
    /// Standard error without the notes.
    var errors: String
    /// The notes on standard error.
    var notes: [String] = []

    /// The single line on standard error with the reason.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// The folder of the runner, removed with it.
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The command next to the test bundle.
  static let executable = BuiltProduct.url("inertial")

  /// Sets the clock of a simulated log's ground truth forward.
  func shiftTruth(of log: String, by seconds: Double) throws {
    let lines = try read(log + "/truth.csv").split(separator: "\n")
    let shifted = lines.dropFirst().map { line -> String in
      let parts = line.split(separator: ",", maxSplits: 1)
      return "\((Double(parts[0]) ?? 0) + seconds),\(parts[1])"
    }
    try write(([String(lines[0])] + shifted).joined(separator: "\n") + "\n", to: log + "/truth.csv")
  }

  /// Paths are relative to the runner's folder.
  func run(_ arguments: String..., input: String? = nil) throws -> Result {
    try run(arguments, input: input)
  }

  /// A memory limit restricts the data of the command, in KiB, and its run to five minutes (Linux).
  func run(_ arguments: [String], input: String? = nil, memoryLimit: Int? = nil) throws -> Result {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    if let memoryLimit {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -d \(memoryLimit) && exec timeout 300 \"$0\" \"$@\"", Self.executable.path] + arguments
    }
    process.currentDirectoryURL = folder
    // Uses files, as a full pipe would block the command.
    let (out, err, inn) = (scratch("stdout"), scratch("stderr"), scratch("stdin"))
    try Data((input ?? "").utf8).write(to: inn)
    process.standardInput = try FileHandle(forReadingFrom: inn)
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    defer { for url in [out, err, inn] { try? FileManager.default.removeItem(at: url) } }
    let reported = try String(contentsOf: err, encoding: .utf8)
    let notes = reported.split(separator: "\n").filter { $0.hasPrefix("note: ") }.map(String.init)
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: out, encoding: .utf8),
      errors: notes.reduce(reported) { $0.replacing($1 + "\n", with: "", maxReplacements: 1) }, notes: notes)
  }

  private func scratch(_ name: String) -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    return url
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// All files in the folder, including hidden ones.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}

/// Canonical raw logs for tests.
enum CanonicalLog {
  static let header =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,magneticFieldY,magneticFieldZ\n"

  /// A device at rest for `count` hundredths of a second, with each row changed by the closure.
  static func text(_ count: Int = 500, change: (Int, inout [Double]) -> Void = { _, _ in }) -> String {
    var text = header
    for index in 0..<count {
      var row = [Double(index) / 100, 0.01, 0.02, -1, 0.001, 0, 0.002, 20, 5, -40]
      change(index, &row)
      text += row.map { $0.isNaN ? "nan" : "\($0)" }.joined(separator: ",") + "\n"
    }
    return text
  }
}

extension Need {
  /// The requirement of a build with the trait HDF5.
  static let hdf5 = Need("hdf5", "built without the trait HDF5") { HDF5TableWriter.isAvailable }
}
