import Foundation
import Testing

@Suite("No output takes the place of an input")
struct InputGuardTests {
  private let runner = try! CommandRunner()

  private func path(_ name: String) -> String { runner.folder.path + "/" + name }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(atPath: path("log/more"), withIntermediateDirectories: true)
    let rows = (0..<300).map { "\(Double($0) / 100),0.01,0.02,1\n" }.joined()
    try runner.write("time (s),x (g),y (g),z (g)\n" + rows, to: "log/Accelerometer.csv")
    try runner.write("time (s),x (rad/s),y (rad/s),z (rad/s)\n" + rows, to: "log/Gyroscope.csv")
    try runner.write("note\n", to: "log/more/notes.txt")
    try FileManager.default.createSymbolicLink(atPath: path("link.csv"), withDestinationPath: path("log/Gyroscope.csv"))
    try FileManager.default.createSymbolicLink(atPath: path("linked"), withDestinationPath: path("log"))
    try FileManager.default.linkItem(atPath: path("log/Gyroscope.csv"), toPath: path("hard.csv"))
    try runner.write(CanonicalLog.text(300), to: "other.csv")
  }

  @Test(
    "not a file of a folder, not by a link, not one that another log of the batch is, not even with --force",
    arguments: [
      ["fuse", "log", "-o", "log/Gyroscope.csv"], ["fuse", "log", "-o", "linked/Accelerometer.csv"],
      ["fuse", "log", "-o", "link.csv"], ["fuse", "log", "-o", "hard.csv"],
      ["fuse", "log", "-o", "log/more/notes.txt", "--format", "csv"],
      ["convert", "log", "-o", "log/Gyroscope.csv"], ["convert", "log", "-o", "link.csv"],
      ["fuse", "log", "-o", "log", "--format", "bids"], ["fuse", "log", "-o", "linked", "--format", "euroc"],
      ["convert", "log", "-o", "log", "--format", "euroc"],
      ["fuse", "other.csv", "-o", "other.csv", "--format", "csv"],
    ])
  func refused(_ arguments: [String]) throws {
    try makeFolder()
    let names = ["log/Accelerometer.csv", "log/Gyroscope.csv", "log/more/notes.txt", "other.csv", "hard.csv"]
    let before = try names.map { try runner.read($0) }
    let result = try runner.run(arguments + ["--force"])
    #expect(
      result.status == 2 && result.errors.contains("would replace the input"), "\(result.status) \(result.errors)")
    #expect(try names.map { try runner.read($0) } == before)
  }

  @Test("a batch whose dataset would be another input is refused before anything is written")
  func batch() throws {
    try runner.write(CanonicalLog.text(300), to: "a.csv")
    try FileManager.default.createDirectory(atPath: path("out"), withIntermediateDirectories: true)
    try runner.write(CanonicalLog.text(200), to: "out/a.csv.fused.csv")
    let before = try runner.read("out/a.csv.fused.csv")
    let result = try runner.run("fuse", "a.csv", "out/a.csv.fused.csv", "-o", "out", "--force")
    #expect(result.status == 2 && result.errors.contains("would replace the input"), "\(result.errors)")
    #expect(try runner.read("out/a.csv.fused.csv") == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("out")) == ["a.csv.fused.csv"])
  }

  @Test("a log that comes through standard input from a file is not replaced either")
  func standardInput() throws {
    try runner.write(CanonicalLog.text(300), to: "a.csv")
    for extra in [[], ["--follow"]] {
      let end = try runner.shell("exec \"$@\" <a.csv", ["fuse", "-", "-o", "a.csv", "--force"] + extra)
      #expect(end.status == 2 && end.errors.contains("would replace the input"), "\(end)")
      #expect(try runner.read("a.csv") == CanonicalLog.text(300))
    }
  }

  @Test("an output beside the files of the log, and one that is replaced by force, are welcome")
  func welcome() throws {
    try makeFolder()
    #expect(try runner.run("fuse", "log", "-o", "log/out.csv").status == 0)
    #expect(try runner.run("fuse", "other.csv", "-o", "other.out.csv").status == 0)
    let again = try runner.run("fuse", "other.csv", "-o", "other.out.csv", "--force")
    #expect(again.status == 0, "\(again.errors)")
  }
}
