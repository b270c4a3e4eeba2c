import TestSupport
import Testing

/// Every numeric option of every subcommand, as listed by the command.
@Suite("Numeric options") struct NumericOptionsTests {
  private let runner = try! CommandRunner()

  private struct Help: Decodable {
    struct Command: Decodable {
      struct Argument: Decodable {
        struct Name: Decodable { var kind, name: String }

        var kind: String
        var names: [Name]?
      }

      var commandName: String
      var subcommands: [Command]?
      var arguments: [Argument]?
    }

    var command: Command
  }

  /// The arguments for a successful run of a subcommand, or `nil` if it has no work to do.
  private static let words: [String: [String]?] = [
    "fuse": ["log.csv", "-o", "out.csv", "--force"], "track": ["log.csv", "-o", "out.csv", "--force"],
    "plot": ["log.csv", "-o", "out.svg", "--force"], "inspect": ["log.csv"],
    "evaluate": ["log.csv", "--reference", "truth.csv", "--reference-frame", "nwu", "--filters", "mahony"],
    "tune": ["log.csv", "--reference", "truth.csv", "--reference-frame", "nwu", "--filter", "mahony", "--budget", "3"],
    "simulate": ["rest", "--duration", "1", "-o", "sim2", "--force"],
    "convert": ["log.csv", "-o", "raw.csv", "--force"], "filters": [], "formats": [], "shake": ["log.csv"],
    "show": ["log.csv"], "train": ["log.csv", "--labels", "labels.csv", "--cross-validate"], "steps": ["log.csv"],
    "altitude": ["log.csv"], "report": ["log.csv", "-o", "out.html", "--force", "--no-cost"], "allan": ["log.csv"],
    "calibrate": ["log.csv"], "evaluate-events": ["log.csv", "--task", "shake", "--labels", "labels.csv"],
    "serve": ["--port", "0", "--once", "--from", "log.csv", "--recordings", "rec"],
    "columns": nil, "channels": nil, "help": nil,
  ]

  private static let values = ["0", "-1", "99", "inf", "nan", "1e300"]

  @Test("no value of a numeric option traps, in any subcommand")
  func noTraps() throws {
    try runner.simulate("walk", to: "sim", "--duration", "3")
    try runner.write(runner.read("sim/log.csv"), to: "log.csv")
    try runner.write(runner.read("sim/truth.csv"), to: "truth.csv")
    try runner.write("start,end,label\n0.5,1,shake\n", to: "labels.csv")
    let help = try JSONDecoder().decode(Help.self, from: Data(runner.run("--experimental-dump-help").output.utf8))
    var tried = 0
    var traps: [String] = []
    func run(_ words: [String]) throws -> CommandRunner.End { try runner.shell("exec timeout 60 \"$@\"", words) }
    func look(_ command: Help.Command, _ path: [String]) throws {
      let path = path + (command.commandName == "inertial" ? [] : [command.commandName])
      for inner in command.subcommands ?? [] { try look(inner, path) }
      guard !path.isEmpty, (command.subcommands ?? []).filter({ $0.commandName != "help" }).isEmpty else { return }
      guard let known = Self.words[command.commandName] else {
        Issue.record("the subcommand \(path) needs words to try its options with")
        return
      }
      guard let known else { return }
      for argument in command.arguments ?? [] where argument.kind == "option" {
        guard let name = argument.names?.first(where: { $0.kind == "long" })?.name else { continue }
        let option = "--" + name
        var words = path + known
        if let index = words.firstIndex(of: option) { words.removeSubrange(index...(index + 1)) }
        // A numeric option rejects a word and accepts 1.
        func isInvalid(_ value: String) throws -> Bool {
          try run(words + [option + "=" + value, "--no-such-option"]).errors.contains("is invalid for '\(option)")
        }
        guard try isInvalid("word"), try !isInvalid("1") else { continue }
        for value in Self.values {
          tried += 1
          let end = try run(words + [option + "=" + value])
          if let status = end.status, status < 100 { continue }
          traps.append(
            "\((words + [option + "=" + value]).joined(separator: " ")): \(end.status ?? -(end.signal ?? 0))")
        }
      }
    }
    try look(help.command, [])
    #expect(tried > 200, "\(tried) values were tried")
    #expect(traps.isEmpty, "\(traps.joined(separator: "\n"))")
  }

  @Test(
    "an option that the command does not use is rejected",
    arguments: [
      ["track", "log.csv", "--jobs", "2"], ["track", "log.csv", "--partition", "person"],
      ["track", "log.csv", "--resume"], ["shake", "--rules", "--sensitivity", "0.5"],
      ["shake", "--rules", "--set", "threshold=1"], ["shake", "--rules", "--continuous"],
      ["shake", "--rules", "--sample-rate", "100"], ["shake", "--rules", "--maximum-duration", "2"],
      ["filters", "vqf", "--details"], ["plot", "log.csv", "-o", "p.svg", "--dpi", "100"], ["serve", "--speed", "3"],
      ["fuse", "log.csv", "--on", "foot"], ["fuse", "log.csv", "--height", "1.8"],
      ["fuse", "log.csv", "--online"], ["fuse", "log.csv", "--with", "steps", "--online", "--smooth"],
      ["report", "log.csv", "--online"], ["evaluate", "log.csv", "--online"], ["serve", "--online"],
      ["fuse", "log.csv", "--placement", "thigh"], ["fuse", "log.csv", "-o", "o.npz", "--digits", "5"],
      ["fuse", "log.csv", "-o", "o.npz", "--header-units"], ["fuse", "log.csv", "--lists"],
      ["fuse", "log.csv", "--bids-subject", "3"], ["fuse", "log.csv", "--sound-weighting", "a"],
      ["fuse", "log.csv", "--hold-back", "1"], ["convert", "log.csv", "-o", "c.npz", "--header-units"],
      ["convert", "log.csv", "-o", "c.csv", "--bids-task", "a"], ["allan", "log.csv", "--dpi", "100"],
      ["calibrate", "log.csv", "--width", "100"],
    ])
  func unused(_ arguments: [String]) throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    try runner.check(arguments, status: 2)
  }

  @Test("plot has separate options for the heights of person and figure")
  func personHeight() throws {
    try runner.simulate("walk", to: "sim", "--duration", "20")
    let words = ["plot", "sim/log.csv", "--quantity", "path", "--on", "hand", "--height", "60"]
    for height in ["1.5", "2.1"] { try runner.check(words + ["--person-height", height, "-o", "p\(height).svg"]) }
    #expect(try runner.read("p1.5.svg") != runner.read("p2.1.svg"))
    try runner.check(words + ["--person-height", "9", "-o", "p.svg"], status: 2)
  }
}
