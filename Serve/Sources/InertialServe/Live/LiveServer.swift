internal import InertialJobs
internal import InertialLogs

/// The server of `inertial serve`: receives messages of phones and serves the live page and stream.
final class LiveServer: @unchecked Sendable {
  let addresses: LiveAddresses
  private let server: WebServer
  private let hub: LiveHub

  /// Creates a server.
  ///
  /// - Throws: `FusionError` if the addresses cannot be listened on, or an option needs a whole log.
  init(_ options: LiveOptions, at plan: LiveAddresses.Plan) throws(FusionError) {
    do throws(WebError) {
      server = try WebServer(
        addresses: plan.listened, port: plan.port, limits: options.limits, certificate: plan.certificate)
    } catch {
      throw .badData(error.description)
    }
    addresses = LiveAddresses(plan, port: server.port)
    hub = try LiveHub(options: options, server: server, page: LivePageRenderer(addresses))
  }

  /// Serves until `stop`, on a dedicated thread.
  ///
  /// - Parameter ended: A closure that this thread calls at the end.
  func start(ended: @escaping @Sendable () -> Void = {}) {
    server.start(hub, admission: addresses.admission, ended: ended)
  }

  /// Ends the server. Can be called from any thread.
  func stop() { server.stop() }

  /// Receives a message that did not arrive over HTTP. Can be called from any thread.
  ///
  /// - Parameter done: A closure that the server's thread calls when the next message may be sent.
  func receive(_ body: [UInt8], done: @escaping @Sendable () -> Void) {
    let hub = Unchecked(hub)
    server.post { hub.value.receive(body, done: done) }
  }
}
