import Foundation
import TestSupport
import Testing

@testable import InertialLogs

/// Returns the error of an output, or `nil` if it is written without an error.
func outputError(_ write: () throws(OutputError) -> Void) -> OutputError? {
  do throws(OutputError) {
    try write()
    return nil
  } catch { return error }
}

@Suite("Output files that are created completely or not at all") struct AtomicFileTests {
  private let folder = TemporaryFolder()

  @Test("the file appears under its own name only with the commit", arguments: [false, true])
  func commit(isNamed: Bool) throws {
    let file = try AtomicFile(path: folder.path("out.csv"), isNamed: isNamed)
    try file.write("a,b\n")
    #if os(Linux)
      let before = isNamed ? [".out.csv.partial-\(getpid())"] : []
    #else
      let before = [".out.csv.partial-\(getpid())"]
    #endif
    #expect(folder.contents == before)
    try file.commit()
    #expect(folder.contents == ["out.csv"] && folder.text("out.csv") == "a,b\n")
  }

  @Test("an abandoned or deallocated output leaves no file", arguments: [false, true])
  func abandon(isNamed: Bool) throws {
    let file = try AtomicFile(path: folder.path("out.csv"), isNamed: isNamed)
    try file.write("a")
    file.abandon()
    #expect(folder.contents == [])
    func drop() throws(OutputError) { try AtomicFile(path: folder.path("other.csv")).write("b") }
    try drop()
    #expect(folder.contents == [])
  }

  @Test("an existing file is refused without force, and with force kept until the commit", arguments: [false, true])
  func existing(isNamed: Bool) throws {
    let path = folder.write("old", to: "out.csv")
    let error = outputError { () throws(OutputError) in _ = try AtomicFile(path: path) }
    #expect(error?.kind == .exists)
    #expect(error?.description == "\(path): exists already; give another path, or --force to replace it")
    let file = try AtomicFile(path: path, force: true, isNamed: isNamed)
    try file.write("new")
    #expect(folder.text("out.csv") == "old")
    try file.commit()
    #expect(folder.text("out.csv") == "new" && folder.contents == ["out.csv"])
  }

  @Test(
    "a symbolic link, dangling or not, is refused, or replaced with force; its target is unchanged",
    arguments: [false, true], [false, true])
  func link(isNamed: Bool, isDangling: Bool) throws {
    if !isDangling { folder.write("old", to: "real.csv") }
    let link = folder.path("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("real.csv"))
    let error = outputError { () throws(OutputError) in _ = try AtomicFile(path: link, isNamed: isNamed) }
    #expect(error?.kind == .exists && error?.problem == "is a symbolic link")
    let growing = outputError { () throws(OutputError) in
      _ = try AppendOnlyFile(path: link, header: "a\n")
    }
    #expect(growing?.kind == .exists)
    let file = try AtomicFile(path: link, force: true, isNamed: isNamed)
    try file.write("new")
    try file.commit()
    #expect(folder.text("link.csv") == "new" && (isDangling || folder.text("real.csv") == "old"))
    #expect(folder.contents == (isDangling ? ["link.csv"] : ["link.csv", "real.csv"]))
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
  }

  @Test("a growing file is neither started nor continued through a link")
  func growingLink() throws {
    folder.write("a\n1\n", to: "real.csv")
    let link = folder.path("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("real.csv"))
    for goesOn in [false, true] {
      let error = outputError { () throws(OutputError) in
        _ = try AppendOnlyFile(path: link, header: "a\n", goesOn: goesOn)
      }
      #expect(error?.kind == .exists)
    }
    try AppendOnlyFile(path: link, header: "b\n", force: true).commit()
    #expect(folder.text("real.csv") == "a\n1\n" && folder.text("link.csv") == "b\n")
  }

  @Test("the second of two outputs of one file gets an error, and the first's file remains", arguments: [false, true])
  func race(isNamed: Bool) throws {
    let first = try AtomicFile(path: folder.path("out.csv"), isNamed: isNamed)
    let second = try AtomicFile(path: folder.path("out.csv"), isNamed: isNamed)
    try first.write("first")
    try second.write("second")
    try first.commit()
    let error = outputError { () throws(OutputError) in try second.commit() }
    #expect(error?.kind == .exists && error?.problem == "has been written by another process meanwhile")
    second.abandon()
    #expect(folder.text("out.csv") == "first" && folder.contents == ["out.csv"])
    // If replacing is allowed, the last output wins.
    let third = try AtomicFile(path: folder.path("out.csv"), force: true, isNamed: isNamed)
    try third.write("third")
    try third.commit()
    #expect(folder.text("out.csv") == "third" && folder.contents == ["out.csv"])
  }

  @Test("when two processes begin a growing file, the second gets an error")
  func growingRace() throws {
    let first = try AppendOnlyFile(path: folder.path("live.csv"), header: "a\n")
    let error = outputError { () throws(OutputError) in
      _ = try AppendOnlyFile(path: folder.path("live.csv"), header: "a\n")
    }
    #expect(error?.kind == .exists)
    try first.commit()
    #expect(folder.text("live.csv") == "a\n")
  }

  @Test("leftovers of a killed process are removed with the next output of the same name", arguments: [false, true])
  func deadLeftover(isNamed: Bool) throws {
    // A process that has ended: its number is not reused until all others have been used.
    let ended = Process()
    ended.executableURL = URL(fileURLWithPath: "/bin/sh")
    ended.arguments = ["-c", "exit 0"]
    try ended.run()
    ended.waitUntilExit()
    let number = ended.processIdentifier
    folder.write("left", to: ".out.csv.partial-\(number)")
    folder.write("left", to: ".other.csv.partial-\(number)")
    let file = try AtomicFile(path: folder.path("out.csv"), isNamed: isNamed)
    try file.commit()
    #expect(folder.contents == [".other.csv.partial-\(number)", "out.csv"])

    try FileManager.default.createDirectory(
      atPath: folder.path(".set.partial-\(number)/a"), withIntermediateDirectories: true)
    try AtomicFolder(path: folder.path("set")).commit()
    #expect(!folder.contents.contains(".set.partial-\(number)"))
    // A folder whose replacement was interrupted by the end of the process.
    try FileManager.default.moveItem(atPath: folder.path("set"), toPath: folder.path(".set.partial-\(number)-old"))
    folder.write("precious", to: ".set.partial-\(number)-old/data.csv")
    AtomicFolder.removeLeftovers(of: folder.path("set"))
    #expect(folder.text("set/data.csv") == "precious")
  }

  @Test("a partial file of another run does not block an output", arguments: [false, true])
  func leftover(isNamed: Bool) throws {
    folder.write("left", to: ".out.csv.partial-\(getpid())")
    let file = try AtomicFile(path: folder.path("out.csv"), isNamed: isNamed)
    try file.write("new")
    try file.commit()
    #expect(folder.text("out.csv") == "new" && folder.contents == [".out.csv.partial-\(getpid())", "out.csv"])
  }

  @Test("a missing folder, a file in place of a folder and a folder in place of a file are errors")
  func folders() {
    func open(_ path: String) -> OutputError? {
      outputError { () throws(OutputError) in _ = try AtomicFile(path: path) }
    }
    let missing = folder.path("none/out.csv")
    #expect(open(missing)?.kind == .noFolder)
    #expect(
      open(missing)?.description == "\(missing): the output folder does not exist; create it, or give another path")
    folder.write("", to: "file")
    #expect(open(folder.path("file/out.csv"))?.kind == .noFolder)
    #expect(open(folder.path)?.description == "\(folder.path): is a folder; give the path of a file")
  }

  @Test("a folder without write permission is an error", .needs(.nonroot))
  func nonrootFolder() {
    #expect(chmod(folder.path, 0o500) == 0)
    defer { chmod(folder.path, 0o700) }
    let error = outputError { () throws(OutputError) in _ = try AtomicFile(path: folder.path("out.csv")) }
    #expect(error?.kind == .notPermitted && error?.problem == "the output folder may not be written to")
  }

  @Test("a full disk is an error of one line, and a device is written to directly", .needs(.fullDevice))
  func fullDisk() throws {
    let file = try AtomicFile(path: "/dev/full")
    try file.write("text")
    let error = outputError { () throws(OutputError) in try file.commit() }
    #expect(error?.kind == .diskFull)
    #expect(error?.description == "/dev/full: the disk is full; free some space, or give another path")
    file.abandon()
    #expect(FileManager.default.fileExists(atPath: "/dev/full"))
  }

  @Test("a reader that has closed the pipe causes an error instead of a signal")
  func closedPipe() throws {
    let fifo = folder.path("pipe")
    #expect(mkfifo(fifo, 0o600) == 0)
    // The pipe is opened for reading first, so that the writer does not wait for a reader.
    let reader = open(fifo, O_RDONLY | O_NONBLOCK)
    let file = try AtomicFile(path: fifo, isLive: true)
    try file.write("text")
    close(reader)
    // The same handling as for standard output.
    let previous = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, previous) }
    #expect(outputError { () throws(OutputError) in try file.write("more") }?.kind == .closedPipe)
  }

  @Test("output to a pipe is held back until it is complete, and an abandoned output writes no bytes")
  func heldBack() throws {
    let fifo = folder.path("pipe")
    #expect(mkfifo(fifo, 0o600) == 0)
    // The reader is awaited only at the end.
    let void = try AtomicFile(path: fifo)
    try void.write("void")
    void.abandon()
    let reader = open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    // The text exceeds the buffer in memory.
    let text = String(repeating: "0123456789", count: 500_000)
    let file = try AtomicFile(path: fifo)
    try file.write(text)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    #expect(read(reader, &bytes, bytes.count) == 0)
    let spool = SpoolFile(holding: fifo)
    try Array(text.utf8).withUnsafeBytes { try spool.append($0) }
    try Array("end".utf8).withUnsafeBytes { try spool.append($0) }
    var held: [UInt8] = []
    try spool.forEachPiece { piece throws(OutputError) in held += piece }
    #expect(held == Array((text + "end").utf8) && folder.contents == ["pipe"])
  }
}
