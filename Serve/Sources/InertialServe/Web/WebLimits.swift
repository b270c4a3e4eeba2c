/// The limits of requests per address, so that one sender cannot exhaust the server.
struct WebLimits: Sendable {
  /// The maximum size of a body, in bytes.
  var maximumBodySize = 4 << 20
  /// The maximum number of simultaneous connections.
  var connections = 256
  /// The mean number of requests per second and address; short bursts may have twice as many.
  var requestsPerSecond = 2500.0
  /// The maximum time from the first byte of a request to its last, in seconds.
  var requestTime = 10.0
  /// The time that an idle connection is kept, in seconds.
  var idleTime = 75.0
  /// The number of pending bytes of a reader above which messages to it are dropped.
  var pending = 1 << 20
  /// The time without progress after which a reader is disconnected, in seconds.
  var stallTime = 20.0

  init() {}
}
