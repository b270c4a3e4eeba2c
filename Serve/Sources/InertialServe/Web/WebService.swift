/// The handler of a server's requests. All functions are called by the server's thread.
protocol WebService: AnyObject {
  /// The path at which a WebSocket can be opened, after the token if there is one.
  var socketPath: String { get }
  /// Responds to a request.
  ///
  /// - Parameter path: The path, after the token if there is one.
  /// - Throws: The response if the request is refused.
  func answer(_ request: WebRequest, path: String, client: WebClient) throws(WebResponse) -> WebAnswer
  /// Called when a reader of events or a WebSocket has connected.
  func didConnect(_ client: WebClient)
  /// Called when a client, whether a reader or not, has disconnected.
  func didDisconnect(_ client: WebClient)
  /// Called after each batch of requests, to send the messages that are due. Returns the time until the next call, in
  /// seconds.
  func sendDueMessages() -> Double
  /// Called when the server ends, to send the last messages.
  func end()
}

extension WebService {
  func end() {}
}

/// The answer of a service to a request: a response, or the beginning of one.
enum WebAnswer {
  case response(WebResponse)
  /// `WebClient.finish` will be called later.
  case later
  /// An endless stream of messages as server-sent events.
  case events
  /// An endless stream of lines of a type, after the first ones; `didConnect` is not called for their reader.
  case lines(type: String, first: WebMessage)
}
