package import ArgumentParser
package import Inertial
package import InertialFigures

/// The options of `inertial serve`, which hands them on, and of the program `inertial-serve`, which is the server.
package struct ServeArguments: ParsableArguments {
  /// The first line of the help.
  package static let abstract =
    "Receive a phone's live stream: show its attitude on a page, detect shakes, steps and activities, and record it."
  /// The text of the help before the options.
  package static let discussion = """
    The server receives the HTTP push of the app Sensor Logger. All data is recorded before it is acknowledged, in \
    files that 'fuse' and 'report' read. The page at / shows the data, names recordings and marks times; /stream \
    (WebSocket) and /events (server-sent events) provide the fused rows as JSON, /samples provides the raw samples as \
    CSV, for 'fuse --follow' and code for Core Motion.

    By default the server is reachable only from this machine. With --listen and an external address, every address \
    contains a token, which is created at each start and shown once. Traffic is encrypted if --certificate and --key \
    are given. On a network that you do not control, use them, or a proxy with a certificate, and specify the name of \
    the certificate with --public.

    Control-C stops the server; recordings stay complete even if it is interrupted.

    Examples:
      inertial serve
      inertial serve --listen 192.168.1.20 --recordings walks --frame xMagneticNorthZVertical
      inertial serve --listen 0.0.0.0 --certificate phone.pem --key phone.key --public https://phone.example.org:8000
      inertial serve --from walk.csv --speed 2
      sensor | inertial serve --from -
      inertial serve --from udp://:9000
      inertial serve --from tcp://:9000
      inertial serve --from phyphox://192.168.1.30:8080
    """

  @Option(help: ArgumentHelp("The port to listen on; 0: any free port.", valueName: "port"))
  package var port: UInt16 = 8000

  @Option(
    help: ArgumentHelp(
      "The numeric address of this machine to listen on; 0.0.0.0: all. Default: 127.0.0.1 and ::1, reachable only from this machine.",
      valueName: "address"))
  package var listen: String?

  @Option(
    help: ArgumentHelp(
      "The public origin of the server, a proxy's or the certificate's, for the printed addresses: https://phone.example.org.",
      valueName: "origin"))
  package var `public`: String?

  @Option(
    help: ArgumentHelp(
      "The certificate for encryption: PEM, followed by the issuers' certificates.", valueName: "file"))
  package var certificate: String?

  @Option(help: ArgumentHelp("The private key of the certificate: PEM, without a password.", valueName: "file"))
  package var key: String?

  @Option(help: ArgumentHelp("The folder for recordings. Created if missing.", valueName: "folder"))
  package var recordings = "recordings"

  @Option(
    help: ArgumentHelp(
      "An additional source: a log, which is played back; - for lines on standard input, udp://HOST:PORT, tcp://HOST:PORT or another server's page http://HOST:PORT/, as with 'fuse --follow'; phyphox://HOST:PORT (its remote access), ws://HOST:PORT (SensorServer on Android).",
      valueName: "log|-|address"))
  package var from: String?

  @Option(
    help: ArgumentHelp(
      "With --from LOG: the playback speed as a factor; inf: as fast as possible. Default: 1.", valueName: "x"))
  package var speed: Double?

  @Flag(help: "With --from: stop when the source ends.")
  package var once = false

  @Option(
    help: ArgumentHelp(
      "The time that a message waits for missing earlier messages, in seconds.", valueName: "s",
      visibility: .hidden))
  package var holdBack = 1.0

  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  package init() {}

  package func validate() throws {
    if let speed, !(speed > 0) { throw ValidationError("--speed takes a number above 0, or inf, not \(speed)") }
    if speed != nil, from == nil || from == "-" || from?.contains("://") == true {
      throw ValidationError("--speed applies to --from LOG; leave it out")
    }
    if once, from == nil { throw ValidationError("--once is for --from") }
    guard (0...60).contains(holdBack) else {
      throw ValidationError("--hold-back takes 0 to 60 seconds, not \(holdBack)")
    }
    guard (certificate == nil) == (key == nil) else { throw ValidationError("--certificate and --key go together") }
    if let origin = `public`, Self.isOrigin(origin) == false {
      throw ValidationError("--public takes https://NAME or https://NAME:PORT, without a path, not \(origin)")
    }
    if attitude.smooth { throw ValidationError("--smooth needs the whole log; leave it out") }
    if attitude.online { throw ValidationError("a server is always online; leave --online out") }
  }

  private static func isOrigin(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
    let name = text.dropFirst(scheme.count)
    return !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
  }

  /// The options for reading and fusing messages.
  package var fusionOptions: FusionOptions {
    get throws { try FusionOptions(attitude, quality, log) }
  }

  /// The options for the report of a recording.
  package var reportOptions: ReportOptions {
    get throws {
      var evaluation = EvaluationJob.Options()
      evaluation.filters = [attitude.filter]
      evaluation.settings = try attitude.parameters.parameterSettings()
      var report = ReportOptions(filters: try EvaluationJob(options: evaluation).filters())
      report.fusion = try fusionOptions
      (report.fusion.recognitions, report.fusion.channels) = (Recognition.shown, .all)
      report.isFrameGiven = attitude.frame != nil
      return report
    }
  }

  /// The options for reading an additional source.
  package var logOptions: LogOptions {
    get throws { try log.options }
  }
}
