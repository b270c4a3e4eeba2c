import ArgumentParser
import Inertial
import InertialSystem

/// The options of `fuse --follow`, which writes rows while the samples arrive.
struct FollowArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Write each row as soon as it is available. The input is - for standard input, udp://HOST:PORT or tcp://HOST:PORT (an empty host: 127.0.0.1, reachable only from this machine; *: all its addresses), or the page of a live server, http://HOST:PORT/ (inertial serve), with CSV lines (without a header: the canonical columns) or JSON objects with the canonical names. Without -o the rows go to standard output. A file grows row by row and keeps its rows if the run is interrupted. Control-C, SIGTERM and SIGHUP end the run in order."
    ))
  var follow = false

  @Option(
    help: ArgumentHelp(
      "With --follow: the maximum delay of an out-of-order sample, in seconds; rows are delayed by the same time. Later samples are dropped and counted.",
      valueName: "s", visibility: .hidden))
  var holdBack: Double?

  @Option(
    name: .customLong("longest-silence"),
    help: ArgumentHelp(
      "With --follow: the time without a sample after which the stream ends, in seconds; inf: never. Silence is reported after 2 s. Default: 60.",
      valueName: "s", visibility: .hidden))
  var silenceLimit: Double?

  @Option(
    help: ArgumentHelp(
      "With --follow udp: the only host whose datagrams are accepted. Default: the first sender, until it is silent for 2 s; datagrams of other senders are dropped and counted.",
      valueName: "host"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "With --follow udp: the first line of every accepted datagram. It is sent as plain text: it excludes stray senders, but does not protect against eavesdropping.",
      valueName: "text"))
  var secret: String?

  func check(inputs: [String], output: String?, json: Bool, resume: Bool) throws {
    let isAddress = inputs.count == 1 && StreamAddress.isStream(inputs[0])
    if from != nil || secret != nil, !follow || inputs.first?.hasPrefix("udp://") != true {
      throw ValidationError("--from and --secret are for --follow with udp://HOST:PORT")
    }
    if let secret, secret.isEmpty || secret.utf8.count > 200 || secret.contains(where: \.isNewline) {
      throw ValidationError("--secret takes a line of 1 to 200 bytes")
    }
    guard follow else {
      if holdBack != nil || silenceLimit != nil {
        throw ValidationError("--hold-back and --longest-silence are for --follow; leave them out")
      }
      if isAddress, inputs[0] != "-" { throw ValidationError("\(inputs[0]) is a stream; add --follow") }
      return
    }
    guard isAddress else {
      throw ValidationError(
        "--follow takes one stream: -, udp://HOST:PORT, tcp://HOST:PORT or http://HOST:PORT/; leave --follow out to fuse a log"
      )
    }
    if json, output == nil || output == "-" {
      throw ValidationError("--json and the rows both use standard output; add -o FILE")
    }
    if resume, output == nil || output == "-" { throw ValidationError("--resume needs -o FILE, which it appends to") }
    if let holdBack, !(0...60).contains(holdBack) {
      throw ValidationError("--hold-back takes 0 to 60 seconds, not \(holdBack)")
    }
    if let silenceLimit, !(silenceLimit > 0) {
      throw ValidationError("--longest-silence takes seconds above 0, or inf, not \(silenceLimit)")
    }
  }

  func run(_ input: String, output: String, options: FusionOptions, resume: Bool, json: Bool) throws {
    var job = try FollowJob(input: input, output: output, options: options)
    job.appends = resume
    job.horizon = holdBack ?? 0
    if let silenceLimit { job.silenceLimit = silenceLimit }
    job.admission = SenderPolicy(from: from, secret: secret)
    // An interrupt ends the input regularly: the available rows are written.
    defer { Interruption.instead(nil) }
    let report = try job.run(
      opened: { stream in Interruption.instead { stream.interrupt() } }, notify: { Console.line($0) })
    for warning in report.log.warnings { Console.warning("\(input): \(warning)") }
    if json { try printJSON(report) } else { report.print() }
  }
}
