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
      "Take a phone's live stream: its attitude on a page, shakes, steps and activity as they happen, a recording.",
    discussion: """
      Takes what the app Sensor Logger pushes over HTTP. Everything that comes is recorded before it is acknowledged, in \
      files that 'fuse' and 'report' read; the page at / shows it, names recordings and marks moments; /stream (WebSocket) \
      and /events (server-sent lines) give the fused rows as JSON to programs, /samples the raw ones as a CSV, which \
      'fuse --follow' and code for Core Motion read.

      Only this machine reaches it, unless --listen gives an address that others reach: then every address has a token in \
      it, which is made anew each time and shown once. What goes over the network is encrypted where --certificate and --key \
      are given. Where the network is not yours give them, or put a proxy with a certificate in front of it, and tell the \
      name that the certificate is for with --public.

      Control-C ends it; a recording is whole however it ends.

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

  @Option(help: ArgumentHelp("Port to listen at; 0: one that is free.", valueName: "port"))
  var port: UInt16 = 8000

  @Option(
    help: ArgumentHelp(
      "Address of this machine to listen at, in digits; 0.0.0.0: all. Default: 127.0.0.1 and ::1, which only this machine reaches.",
      valueName: "address"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "The name under which others reach it, a proxy's or the certificate's, for the addresses that are shown: https://phone.example.org.",
      valueName: "origin"))
  var `public`: String?

  @Option(
    help: ArgumentHelp(
      "Encrypt with this certificate: PEM, with those of its issuers behind it. Needs OpenSSL's library (libssl3).",
      valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The certificate's key: PEM, without a password.", valueName: "file"))
  var key: String?

  @Option(help: ArgumentHelp("Folder for what comes. It is made where it is not there.", valueName: "folder"))
  var recordings = "recordings"

  @Option(
    help: ArgumentHelp(
      "A source beside what is pushed: a log, which is played; - for lines on standard input, udp://HOST:PORT, tcp://HOST:PORT or another server's page http://HOST:PORT/, as with 'fuse --follow'; phyphox://HOST:PORT (its remote access), ws://HOST:PORT (SensorServer on Android).",
      valueName: "log|-|address"))
  var from: String?

  @Option(
    help: ArgumentHelp("With --from LOG: times its own speed; inf: as quickly as it goes. Default: 1.", valueName: "x"))
  var speed: Double?

  @Flag(help: "With --from: end when the source has ended.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "How long a message waits for those that were sent before it and have not come.", valueName: "s",
      visibility: .hidden))
  var holdBack = 1.0

  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Attitude") var place: PlaceArguments
  @OptionGroup(title: "Attitude") var filterArguments: FilterArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if let speed, !(speed > 0) { throw ValidationError("--speed takes a number above 0, or inf, not \(speed)") }
    if speed != nil, from == nil || from == "-" || from?.contains("://") == true {
      throw ValidationError("--speed is for --from LOG, which is played")
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
      throw FusionError.badData("\(recordings): the folder for recordings cannot be made; give another path")
    }
    var plan = LiveAddresses.Plan(address: listen, port: port, publicOrigin: `public`)
    if let certificate, let key { plan.certificate = WebCertificate(chain: certificate, key: key) }
    let server = try LiveServer(options, at: plan)
    tell(server)
    let failure = Mutex<String?>(nil)
    let source = try source()
    Interruption.instead { server.stop() }
    defer { Interruption.instead(nil) }
    // Hours on a thread of its own: none of the few that all tasks share.
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      server.start { ended.resume() }
      source?.start(server) { problem in
        if once {
          failure.withLock { $0 = problem }
          server.stop()
        } else if let problem {
          Console.error(problem)
        } else {
          Console.note("\(from ?? "") has ended; the server goes on")
        }
      }
    }
    if let problem = failure.withLock({ $0 }) { throw FusionError.badData(problem) }
    Console.note("ended; what came is in \(recordings)")
  }

  private func tell(_ server: LiveServer) {
    Page.standard.line("page       \(server.addresses.page)")
    Page.standard.line("push to    \(server.addresses.push)")
    Page.standard.line("recordings \(recordings)")
    // Whoever reads them through a pipe waits for them.
    fflush(nil)
    if server.addresses.token != nil {
      Console.note("whoever knows the address can read and send: it is shown here and never again")
      if certificate == nil, `public`?.hasPrefix("https") != true {
        Console.warning("nothing that goes over the network is encrypted; 'inertial help serve' says what to do")
      }
    }
  }

  private func source() throws -> LiveSource? {
    guard let from else { return nil }
    let kind: LiveSource.Kind
    if StreamAddress.isStream(from) {
      do {
        kind = .stream(try StreamAddress(from), StreamAdmission())
      } catch {
        throw FusionError.usage(error.description)
      }
    } else if let phone = LiveSource.Kind(phone: from) {
      kind = phone
    } else if from.contains("://") {
      throw FusionError.usage(
        "\(from): is no address of a source; give udp://HOST:PORT, tcp://HOST:PORT, phyphox://HOST:PORT or ws://HOST:PORT"
      )
    } else {
      kind = .recording(path: from, speed: speed ?? 1)
    }
    return LiveSource(kind, options: try log.options)
  }

  private func liveOptions() throws -> LiveOptions {
    let fusion = try FusionOptions(attitude, place, filterArguments, quality, log)
    var evaluation = EvaluationJob.Options()
    evaluation.filters = [attitude.filter]
    evaluation.settings = try filterArguments.parameterSettings()
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
