import ArgumentParser
import Inertial
import InertialSystem

/// `fuse --follow`: rows while the samples are made.
struct FollowArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Write each row as soon as it is known. The input is - for standard input, udp://HOST:PORT or tcp://HOST:PORT (an empty host: 127.0.0.1, which only this machine reaches; *: every address of it), or the page of a live server, http://HOST:PORT/ (inertial serve), with lines of a CSV (without a header: the canonical columns) or JSON objects with the canonical names. Without -o the rows go to standard output. A file grows row by row and keeps its rows however the run ends. Control-C, SIGTERM and SIGHUP end it in order."
    ))
  var follow = false

  @Option(
    help: ArgumentHelp(
      "With --follow: how much out of order a sample may come; rows come as much later. A sample that is later still is dropped and counted.",
      valueName: "s", visibility: .hidden))
  var holdBack: Double?

  private static let usualSilence = 60.0

  @Option(
    help: ArgumentHelp(
      "With --follow: the stream ends after this time without a sample; inf waits for ever. Silence is reported after 2 s.",
      valueName: "s", visibility: .hidden))
  var longestSilence: Double?

  @Option(
    help: ArgumentHelp(
      "With --follow udp: the only machine whose datagrams are taken. Without it the first sender is heard until it has been silent for 2 s; what others send meanwhile is left out and counted.",
      valueName: "host"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "With --follow udp: the first line of every datagram that is taken. It is sent as plain text: it keeps strays out, not eavesdroppers.",
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
      if holdBack != nil || longestSilence != nil {
        throw ValidationError("--hold-back and --longest-silence are for --follow; leave them out")
      }
      if isAddress, inputs[0] != "-" { throw ValidationError("\(inputs[0]) is a stream: it needs --follow") }
      return
    }
    guard isAddress else {
      throw ValidationError(
        "--follow takes one stream, -, udp://HOST:PORT, tcp://HOST:PORT or http://HOST:PORT/; a log is fused whole, without --follow"
      )
    }
    if json, output == nil || output == "-" { throw ValidationError("--json and the rows both want standard output") }
    if resume, output == nil || output == "-" { throw ValidationError("--resume needs -o FILE, which it appends to") }
    if let holdBack, !(0...60).contains(holdBack) {
      throw ValidationError("--hold-back takes 0 to 60 seconds, not \(holdBack)")
    }
    if let longestSilence, !(longestSilence > 0) {
      throw ValidationError("--longest-silence takes seconds above 0, or inf, not \(longestSilence)")
    }
  }

  func run(_ input: String, output: String, options: FusionOptions, resume: Bool, json: Bool) throws {
    let source: StreamAddress
    do {
      source = try StreamAddress(input)
    } catch {
      throw FusionError.usage(error.description)
    }
    var job = FollowJob(source: source, output: output, options: options)
    job.goesOn = resume
    job.horizon = holdBack ?? 0
    let longestSilence = longestSilence ?? Self.usualSilence
    job.longestSilence = longestSilence
    job.admission = StreamAdmission(from: from, secret: secret)
    // The end that a user asks for is an orderly one: what is known is written.
    defer { Interruption.instead(nil) }
    let report = try job.run(
      opened: { stream in Interruption.instead { stream.interrupt() } },
      tell: { Console.line(Self.sentence($0, limit: longestSilence)) })
    for warning in report.log.warnings { Console.warning("\(input): \(warning)") }
    let document = FusionDocument(FusionJob(input: input, output: output, options: options), report)
    if json {
      try printJSON(document)
    } else {
      FusionSummary(document, report).print(toStandardError: output == "-")
    }
  }

  private static func sentence(_ notice: FollowJob.Notice, limit: Double) -> String {
    switch notice {
    case .listening(let address): "listening at \(address)"
    case .silent(let seconds) where seconds >= limit: "no sample for \(fixed(seconds, 0)) s: the stream has ended"
    case .silent(let seconds):
      "warning: no sample for \(fixed(seconds, 0)) s"
        + (limit < .infinity ? "; the stream counts as ended after \(fixed(limit, 0)) s" : "")
    case .resumed: "samples come again"
    case .timeWentBack(let last, let first):
      "warning: the output's last row is of \(last) s, and the stream's first sample of \(first) s: times will not rise "
        + "from row to row"
    case .leftOut(let error, let count):
      "warning: \(counted(count, "line")) could not be read and \(count == 1 ? "was" : "were") left out, the last: \(error)"
    case .refused(let sender, let count):
      "warning: \(counted(count, "datagram")) of others left out, the last from \(sender): one sender is heard at a time"
    case .lost(let count):
      "warning: \(counted(count, "datagram")) lost: more come than can be read; send less, or --filter complementary"
    case .clockJumped(let from, let to):
      "warning: the sender's clock has jumped from \(from) s to \(to) s: a new segment begins"
    }
  }
}
