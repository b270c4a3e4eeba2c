import ArgumentParser
import Inertial
import InertialEssentials
import InertialFigures
import InertialServer
import InertialSystem
import Synchronization

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Receive a phone's live stream: show its attitude on a page, detect shakes, steps and activities, and record it.",
    discussion: """
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
      """)

  @Option(help: ArgumentHelp("The port to listen on; 0: any free port.", valueName: "port"))
  var port: UInt16 = 8000

  @Option(
    help: ArgumentHelp(
      "The numeric address of this machine to listen on; 0.0.0.0: all. Default: 127.0.0.1 and ::1, reachable only from this machine.",
      valueName: "address"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "The public origin of the server, a proxy's or the certificate's, for the printed addresses: https://phone.example.org.",
      valueName: "origin"))
  var `public`: String?

  @Option(
    help: ArgumentHelp(
      "The certificate for encryption: PEM, followed by the issuers' certificates. Needs OpenSSL (libssl3).",
      valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The private key of the certificate: PEM, without a password.", valueName: "file"))
  var key: String?

  @Option(help: ArgumentHelp("The folder for recordings. Created if missing.", valueName: "folder"))
  var recordings = "recordings"

  @Option(
    help: ArgumentHelp(
      "An additional source: a log, which is played back; - for lines on standard input, udp://HOST:PORT, tcp://HOST:PORT or another server's page http://HOST:PORT/, as with 'fuse --follow'; phyphox://HOST:PORT (its remote access), ws://HOST:PORT (SensorServer on Android).",
      valueName: "log|-|address"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "With --from LOG: the playback speed as a factor; inf: as fast as possible. Default: 1.", valueName: "x"))
  var speed: Double?

  @Flag(help: "With --from: stop when the source ends.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "The time that a message waits for missing earlier messages, in seconds.", valueName: "s",
      visibility: .hidden))
  var holdBack = 1.0

  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
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
  }

  private static func isOrigin(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
    let name = text.dropFirst(scheme.count)
    return !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
  }

  func run() async throws {
    let options = try liveOptions()
    do {
      try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
    } catch {
      throw FusionError.badData("\(recordings): the folder for recordings cannot be created; use another path")
    }
    var plan = LiveAddresses.Plan(address: listen, port: port, publicOrigin: `public`)
    if let certificate, let key { plan.certificate = WebCertificate(chain: certificate, key: key) }
    let server = try LiveServer(options, at: plan)
    printAddresses(server)
    let failure = Mutex<String?>(nil)
    let source = try source()
    Interruption.instead { server.stop() }
    defer { Interruption.instead(nil) }
    // Runs for hours, so it uses a dedicated thread instead of one of the few threads of the task pool.
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      server.start { ended.resume() }
      source?.start(server) { problem in
        if once {
          failure.withLock { $0 = problem }
          server.stop()
        } else if let problem {
          Console.error(problem)
        } else {
          Console.note("\(from ?? "") has ended; the server continues")
        }
      }
    }
    if let problem = failure.withLock({ $0 }) { throw FusionError.badData(problem) }
    Console.note("stopped; the recordings are in \(recordings)")
  }

  private func printAddresses(_ server: LiveServer) {
    Page.standard.line("page       \(server.addresses.page)")
    Page.standard.line("push to    \(server.addresses.push)")
    Page.standard.line("recordings \(recordings)")
    // A reader of a pipe waits for these lines.
    fflush(nil)
    if server.addresses.token != nil {
      Console.note("anyone with this address can read and send data; it is not shown again")
      if certificate == nil, `public`?.hasPrefix("https") != true {
        Console.warning("network traffic is not encrypted; use --certificate and --key, see 'inertial help serve'")
      }
    }
  }

  private func source() throws -> LiveSource? {
    guard let from else { return nil }
    let kind: LiveSource.Kind
    if StreamAddress.isStream(from) {
      do {
        kind = .stream(try StreamAddress(from), SenderPolicy())
      } catch {
        throw FusionError.usage(error.description)
      }
    } else if let phone = LiveSource.Kind(phone: from) {
      kind = phone
    } else if from.contains("://") {
      throw FusionError.usage(
        "\(from): is not an address of a source; use udp://HOST:PORT, tcp://HOST:PORT, phyphox://HOST:PORT or ws://HOST:PORT"
      )
    } else {
      kind = .recording(path: from, speed: speed ?? 1)
    }
    return LiveSource(kind, options: try log.options)
  }

  private func liveOptions() throws -> LiveOptions {
    let fusion = try FusionOptions(attitude, quality, log)
    var evaluation = EvaluationJob.Options()
    evaluation.filters = [attitude.filter]
    evaluation.settings = try attitude.parameters.parameterSettings()
    var report = ReportOptions(filters: try EvaluationJob(options: evaluation).filters())
    report.fusion = fusion
    (report.fusion.recognitions, report.fusion.channels) = (Recognition.shown, .all)
    report.isFrameGiven = attitude.frame != nil

    var options = LiveOptions(folder: recordings, report: report)
    options.fusion = fusion
    options.patience = holdBack
    return options
  }
}
