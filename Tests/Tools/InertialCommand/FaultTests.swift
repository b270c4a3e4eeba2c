import TestSupport
import Testing

/// Lets each system call that changes the disk fail once, in the running command.
@Suite("Failing system calls") struct FaultTests {
  /// The preloaded library, or `nil` if there is no compiler for it or no way to preload it.
  private static let library: String? = {
    #if os(Linux)
      let source = Checkout.url("Tests/Support/Faults/faults.c")
      let target = FileManager.default.temporaryDirectory.appendingPathComponent(
        "inertial-faults-\(UUID().uuidString).so")
      for compiler in ["cc", "clang", "gcc"] {
        let words = ["-shared", "-fPIC", "-O1", "-o", target.path, source.path, "-ldl"]
        if (try? Program.run(compiler, words))?.status == 0 { return target.path }
      }
    #endif
    return nil
  }()

  private static let need = Need("cc", "there is no C compiler, or no LD_PRELOAD") { library != nil }

  /// A command that writes, its output, and its other outputs.
  struct Way: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var outputs: [String]
    var testDescription: String { arguments.joined(separator: " ") }
  }

  /// One text, one binary and one folder format; all of them in `make stress WHAT=faults`.
  private static let ways =
    [
      Way(arguments: ["fuse", "log.csv", "-o", "out.csv", "--metadata"], outputs: ["out.csv", "out.csv.json"]),
      Way(arguments: ["fuse", "log.csv", "-o", "out.parquet"], outputs: ["out.parquet"]),
      Way(arguments: ["fuse", "log.csv", "-o", "out", "--format", "bids"], outputs: ["out"]),
    ] + (TestData.isStress ? otherWays : [])

  private static let otherWays = [
    Way(arguments: ["fuse", "log.csv", "-o", "out.csv"], outputs: ["out.csv"]),
    Way(
      arguments: ["fuse", "log.csv", "-o", "out.tum", "--format", "tum", "--metadata"],
      outputs: ["out.tum", "out.tum.json"]),
    Way(arguments: ["fuse", "log.csv", "-o", "out.npz"], outputs: ["out.npz"]),
    Way(arguments: ["fuse", "log.csv", "-o", "out.h5"], outputs: ["out.h5"]),
    Way(arguments: ["fuse", "log.csv", "-o", "out.mcap"], outputs: ["out.mcap"]),
    Way(arguments: ["plot", "log.csv", "-o", "out.svg"], outputs: ["out.svg"]),
    Way(arguments: ["plot", "log.csv", "-o", "out.pdf"], outputs: ["out.pdf"]),
    Way(arguments: ["plot", "log.csv", "-o", "out.png"], outputs: ["out.png"]),
    Way(arguments: ["report", "log.csv", "-o", "out.html"], outputs: ["out.html"]),
    Way(arguments: ["convert", "log.csv", "-o", "out", "--format", "euroc"], outputs: ["out"]),
    Way(arguments: ["convert", "log.csv", "-o", "out.csv"], outputs: ["out.csv"]),
  ]

  private static let calls = [
    "open", "write", "fwrite", "fflush", "fclose", "fsync", "close", "rename", "linkat", "mkdir",
  ]

  /// The bytes of a file, or of all files of a folder, or `nil` if it does not exist.
  private func content(_ runner: CommandRunner, _ name: String) -> [String: Data]? {
    let path = runner.folder.path + "/" + name
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    guard isFolder.boolValue else { return ["": FileManager.default.contents(atPath: path) ?? Data()] }
    var all: [String: Data] = [:]
    for case let file as String in FileManager.default.enumerator(atPath: path)! {
      if let data = FileManager.default.contents(atPath: path + "/" + file) { all[file] = data }
    }
    return all
  }

  @Test("the old or the complete new output remains, and one line gives the reason", .needs(need), arguments: ways)
  func writers(_ way: Way) throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    #expect(try runner.run(way.arguments + ["--force"]).status == 0)
    let whole = way.outputs.map { content(runner, $0) }
    var count = 0
    for isReplaced in [false, true] {
      for call in Self.calls {
        var number = 1
        while try isMet(call, number, way, isReplaced: isReplaced, whole, runner) { number += 1 }
        count += number - 1
      }
    }
    #expect(count > 10, "only \(count) calls could fail")
  }

  /// Whether an output is complete: the same bytes, or, for a page with run times, complete to its end.
  private func isWhole(_ now: [String: Data]?, as whole: [String: Data]?) -> Bool {
    func isPage(_ files: [String: Data]?) -> Bool {
      files?[""].map { String(decoding: $0.suffix(16), as: UTF8.self).hasSuffix("</html>\n") } ?? false
    }
    return now == whole || isPage(now) && isPage(whole)
  }

  /// Lets a call fail, and returns `false` if there are fewer calls of the kind.
  private func isMet(
    _ call: String, _ number: Int, _ way: Way, isReplaced: Bool, _ whole: [[String: Data]?], _ runner: CommandRunner
  ) throws -> Bool {
    let mark = runner.folder.path + "/mark"
    for name in way.outputs { try? FileManager.default.removeItem(atPath: runner.folder.path + "/" + name) }
    if isReplaced {
      // The old output has the same names with other rows, so that a mixture would be detected.
      try runner.write(CanonicalLog.text(250), to: "log.csv")
      #expect(try runner.run(way.arguments + ["--force"]).status == 0)
      try runner.write(CanonicalLog.text(300), to: "log.csv")
    }
    let old = way.outputs.map { content(runner, $0) }
    let end = try runner.shell(
      "exec \"$@\"", way.arguments + (isReplaced ? ["--force"] : []),
      environment: [
        "LD_PRELOAD": Self.library!, "INERTIAL_FAULT_CALL": call, "INERTIAL_FAULT_NUMBER": "\(number)",
        "INERTIAL_FAULT_MARK": mark, "INERTIAL_FAULT_ERROR": "\(number.isMultiple(of: 2) ? ENOSPC : EIO)",
      ])
    guard FileManager.default.fileExists(atPath: mark) else {
      #expect(end.status == 0, "\(way) without a fault: \(end)")
      return false
    }
    try FileManager.default.removeItem(atPath: mark)
    let location = "\(call) \(number) of \(way), \(isReplaced ? "replaced" : "new")"
    #expect(end.signal == nil, "\(location): signal \(end.signal ?? 0)")
    if end.status == 0 {
      // The writer used another method, as without unnamed files.
      for (index, name) in way.outputs.enumerated() {
        #expect(isWhole(content(runner, name), as: whole[index]), "\(location): status 0, and \(name) is incomplete")
      }
    } else {
      #expect(end.status == 1 && end.errorLines.count == 1, "\(location): \(end)")
      for (index, name) in way.outputs.enumerated() {
        let now = content(runner, name)
        #expect(
          now == old[index] || isWhole(now, as: whole[index]),
          "\(location): \(name) is neither the old one nor the new one")
      }
    }
    let files = try runner.files()
    #expect(!files.contains { $0.contains(".partial-") }, "\(location): \(files)")
    return true
  }

  @Test("HDF5 of one log is the same bytes whenever it is written", .needs(need))
  func sameBytes() throws {
    let files = try ["0", "100000"].map { seconds in
      let runner = try CommandRunner()
      try runner.write(CanonicalLog.text(300), to: "log.csv")
      let end = try runner.shell(
        "exec \"$@\"", ["fuse", "log.csv", "-o", "out.h5"],
        environment: ["LD_PRELOAD": Self.library!, "INERTIAL_FAULT_TIME": seconds])
      #expect(end.status == 0, "\(end)")
      return content(runner, "out.h5")
    }
    #expect(files[0] != nil && files[0] == files[1])
  }
}
