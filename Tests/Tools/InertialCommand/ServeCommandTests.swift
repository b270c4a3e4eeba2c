import InertialSystem
import TestSupport
import Testing

@Suite("inertial serve without its server") struct ServeCommandTests {
  private let folder = TemporaryFolder(inMemory: false)

  /// Runs the command in a folder and with a path that contain no other programs.
  private func run(_ arguments: String...) throws -> Program {
    let inertial = folder.path("inertial")
    if !FileManager.default.fileExists(atPath: inertial) {
      try FileManager.default.createSymbolicLink(
        atPath: inertial, withDestinationPath: CommandRunner.executable.path)
    }
    return try Program.run(inertial, arguments, in: folder.url, environment: ["PATH": folder.path("programs")])
  }

  private func install(in name: String) throws {
    folder.write("#!/bin/sh\necho \"$0|$1|$2\"\nexit 7\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
  }

  @Test("the server is a program beside the command or on the path; without it one line names it and its installation")
  func programs() throws {
    let missing = try run("serve", "--port", "0")
    #expect(missing.status == 1 && missing.errors.split(separator: "\n").count == 1 && missing.output.isEmpty)
    #expect(missing.errors.contains("inertial-serve") && missing.errors.contains("make install-serve"))
    folder.write("no program", to: "inertial-serve")
    try install(in: "programs/inertial-serve")
    let found = try run("serve", "--port", "0")
    #expect(found.status == 7 && found.output.contains("programs/inertial-serve|--port|0"), "\(found)")
    try install(in: "inertial-serve")
    let beside = try run("serve", "--recordings", "a b")
    #expect(beside.status == 7 && beside.output.hasSuffix("inertial-serve|--recordings|a b\n"), "\(beside)")
  }

  @Test("invalid options are reported, and the help lists them, without the server")
  func options() throws {
    for arguments in [["--speed", "0"], ["--once"], ["--certificate", "a.pem"], ["--nothing"]] {
      let result = try CommandRunner().run(["serve"] + arguments)
      #expect(result.status == 2 && result.errors.contains(arguments[0]), "\(result.errors)")
    }
    #expect(try run("help", "serve").output.contains("--certificate <file>"))
    #expect(try run("serve", "--help").output.contains("--certificate <file>"))
  }
}
