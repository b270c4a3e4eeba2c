package import InertialJobs
internal import InertialLive
internal import InertialLogs

/// The server of `inertial serve`: messages of phones in, the live page and stream out.
package final class LiveServer: @unchecked Sendable {
  package let addresses: LiveAddresses
  private let server: WebServer
  private let hub: LiveHub
  private let admission: WebAdmission

  /// - Throws: where the addresses cannot be listened at, or what is asked for needs a whole log.
  package init(_ options: LiveOptions, at plan: LiveAddresses.Plan) throws(FusionError) {
    do throws(WebError) {
      server = try WebServer(
        addresses: plan.listened, port: plan.port, limits: options.limits, certificate: plan.certificate)
    } catch {
      throw .badData(error.description)
    }
    addresses = LiveAddresses(plan, port: server.port)
    admission = addresses.admission
    hub = try LiveHub(options: options, server: server, page: LivePageMaker(addresses))
  }

  /// Serves until `stop`, on a thread of its own.
  ///
  /// - Parameter ended: called by that thread.
  package func start(ended: @escaping @Sendable () -> Void = {}) {
    DetachedThread.start { [self] in
      server.run(hub, admission: admission)
      ended()
    }
  }

  /// Ends `run`. From any thread.
  package func stop() { server.stop() }

  /// Takes a message that came by another way than HTTP. From any thread.
  ///
  /// - Parameter done: called with what went wrong; nil where the message is taken.
  package func take(_ body: [UInt8], done: @escaping @Sendable (String?) -> Void) {
    let hub = Unchecked(hub)
    server.post {
      do throws(LogError) {
        let message = try PushMessage(body: body, name: "source")
        switch hub.value.take(message, body, isConverted: true) {
        case .success: done(nil)
        case .failure(let refusal): done(String(decoding: refusal.response.body, as: UTF8.self))
        }
      } catch {
        done(error.description)
      }
    }
  }
}
