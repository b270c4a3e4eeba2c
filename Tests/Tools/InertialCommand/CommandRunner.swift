import InertialLogs
import TestSupport
import Testing

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

    /// The output as one JSON object.
    func json(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
      let document = try JSONSerialization.jsonObject(with: Data(output.utf8))
      return try #require(document as? [String: Any], "\(errors)", sourceLocation: sourceLocation)
    }

    func decoded<Document: Decodable>(as type: Document.Type = Document.self) throws -> Document {
      try JSONDecoder().decode(type, from: Data(output.utf8))
    }
  }

  private let temporary = TemporaryFolder(inMemory: false)

  init() throws {}

  /// The folder of the runner, removed with it.
  var folder: URL { temporary.url }

  /// The command next to the test bundle.
  static let executable = BuiltProduct.url("inertial")

  /// Paths are relative to the runner's folder.
  func run(_ arguments: String..., input: String? = nil) throws -> Result { try run(arguments, input: input) }

  /// A memory limit restricts the data of the command, in KiB, and its run to five minutes (Linux).
  func run(_ arguments: [String], input: String? = nil, memoryLimit: Int? = nil) throws -> Result {
    let limit = memoryLimit.map { ["-c", "ulimit -d \($0) && exec timeout 300 \"$0\" \"$@\"", Self.executable.path] }
    let ended = try Program.run(
      limit == nil ? Self.executable.path : "/bin/sh", (limit ?? []) + arguments, in: folder, input: input ?? "")
    let notes = ended.errors.split(separator: "\n").filter { $0.hasPrefix("note: ") }.map(String.init)
    let errors = notes.reduce(ended.errors) { $0.replacing($1 + "\n", with: "", maxReplacements: 1) }
    return Result(status: ended.status, output: ended.output, errors: errors, notes: notes)
  }

  /// Runs the command, and checks its status and that output and errors contain the given words.
  ///
  /// - Parameter lines: The expected number of lines on standard error.
  @discardableResult
  func check(
    _ arguments: String..., status: Int32 = 0, output: String..., errors: String..., lines: Int? = nil,
    input: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result { try check(arguments, status, output, errors, lines, input, sourceLocation) }

  @discardableResult
  func check(
    _ arguments: [String], status: Int32 = 0, output: String..., errors: String..., lines: Int? = nil,
    input: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result { try check(arguments, status, output, errors, lines, input, sourceLocation) }

  private func check(
    _ arguments: [String], _ status: Int32, _ output: [String], _ errors: [String], _ lines: Int?, _ input: String?,
    _ sourceLocation: SourceLocation
  ) throws -> Result {
    let result = try run(arguments, input: input)
    let facts = "\(arguments.joined(separator: " ")): \(result.status) \(result.errors)"
    try #require(result.status == status, "\(facts)", sourceLocation: sourceLocation)
    for word in output {
      #expect(result.output.contains(word), "\(word): \(facts)\(result.output)", sourceLocation: sourceLocation)
    }
    for word in errors { #expect(result.errors.contains(word), "\(word): \(facts)", sourceLocation: sourceLocation) }
    if let lines { #expect(result.errorLines.count == lines, "\(facts)", sourceLocation: sourceLocation) }
    return result
  }

  /// Runs the command with `--json` successfully, and returns the document.
  func document(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    try document(arguments, sourceLocation: sourceLocation)
  }

  func document(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    try check(arguments + ["--json"], sourceLocation: sourceLocation).json(sourceLocation: sourceLocation)
  }

  /// Simulates a log with ground truth into a folder.
  func simulate(
    _ scenario: String, to folder: String = "sim", _ more: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws { try check(["simulate", scenario, "-o", folder] + more, sourceLocation: sourceLocation) }

  /// The path of a file in the runner's folder.
  func path(_ name: String) -> String { temporary.path(name) }

  /// Writes a file, in a new folder if its folder does not exist.
  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws { temporary.write(bytes, to: name) }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  func json(_ name: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(read(name).utf8)) as? [String: Any])
  }

  /// The cells of all lines of a table, split at a separator.
  func table(_ name: String, _ separator: Character = ",") throws -> [[String]] {
    try read(name).split(separator: "\n").map {
      $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The columns of a dataset in CSV; NaN in empty cells.
  func columns(_ name: String) throws -> TextTable { TextTable(try read(name)) }

  /// All names in the folder or one of its folders, including hidden ones.
  func files(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// The paths of all files and folders in a folder.
  func tree(_ name: String) throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path(name)) }

  /// Adds seconds to the times in the first column of a CSV.
  func shiftTimes(of name: String, by seconds: Double, to other: String? = nil) throws {
    let lines = try read(name).split(separator: "\n")
    let shifted = lines.dropFirst().map { line -> String in
      let parts = line.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      return "\((Double(parts[0]) ?? 0) + seconds),\(parts[1])"
    }
    try write(([String(lines[0])] + shifted).joined(separator: "\n") + "\n", to: other ?? name)
  }
}

/// Canonical raw logs for tests.
enum CanonicalLog {
  static let motionHeader = "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"
  static let header: String = motionHeader.dropLast() + ",magneticFieldX,magneticFieldY,magneticFieldZ\n"

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
