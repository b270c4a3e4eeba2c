public import ArgumentParser
internal import Inertial
internal import InertialCommand
internal import InertialEssentials
internal import InertialFigures
internal import InertialLogs
internal import InertialSystem
internal import Synchronization

/// The server: the program `inertial-serve`, with the options of `inertial serve`.
public struct ServerCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "inertial-serve", abstract: ServeArguments.abstract, discussion: ServeArguments.discussion,
    version: ToolVersion.current)

  @OptionGroup var arguments: ServeArguments

  public init() {}

  public func run() async throws {
    var options = LiveOptions(folder: arguments.recordings, report: try arguments.reportOptions)
    (options.fusion, options.patience) = (try arguments.fusionOptions, arguments.holdBack)
    do {
      try FileManager.default.createDirectory(atPath: arguments.recordings, withIntermediateDirectories: true)
    } catch {
      throw FusionError.badData(
        "\(arguments.recordings): the folder for recordings cannot be created; use another path")
    }
    var plan = LiveAddresses.Plan(
      address: arguments.listen, port: arguments.port, publicOrigin: arguments.public)
    if let certificate = arguments.certificate, let key = arguments.key {
      plan.certificate = WebCertificate(chain: certificate, key: key)
    }
    let server = try LiveServer(options, at: plan)
    printAddresses(server)
    let failure = Mutex<String?>(nil)
    let source = try source()
    Interruption.instead { server.stop() }
    defer { Interruption.instead(nil) }
    // Runs for hours, so it uses a dedicated thread instead of one of the few threads of the task pool.
    let (from, once) = (arguments.from ?? "", arguments.once)
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      server.start { ended.resume() }
      source?.start(server) { problem in
        if once {
          failure.withLock { $0 = problem }
          server.stop()
        } else if let problem {
          Console.error(problem)
        } else {
          Console.note("\(from) has ended; the server continues")
        }
      }
    }
    if let problem = failure.withLock({ $0 }) { throw FusionError.badData(problem) }
    Console.note("stopped; the recordings are in \(arguments.recordings)")
  }

  private func printAddresses(_ server: LiveServer) {
    Page.standard.line("page       \(server.addresses.page)")
    Page.standard.line("push to    \(server.addresses.push)")
    Page.standard.line("recordings \(arguments.recordings)")
    // A reader of a pipe waits for these lines.
    fflush(nil)
    if server.addresses.token != nil {
      Console.note("anyone with this address can read and send data; it is not shown again")
      if arguments.certificate == nil, arguments.public?.hasPrefix("https") != true {
        Console.warning("network traffic is not encrypted; use --certificate and --key, see 'inertial help serve'")
      }
    }
  }

  private func source() throws -> LiveSource? {
    guard let from = arguments.from else { return nil }
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
      kind = .recording(path: from, speed: arguments.speed ?? 1)
    }
    return LiveSource(kind, options: try arguments.logOptions)
  }
}
