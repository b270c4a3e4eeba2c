/// The limits of requests per address, so that one sender cannot exhaust the server.
struct WebLimits: Sendable {
  /// The maximum size of a body, in bytes.
  var maximumBodySize = 4 << 20
  /// The maximum number of bytes of long bodies, above `shortBody`, that are received at the same time.
  var bodies = 64 << 20
  static let shortBody = 1 << 14
  /// The maximum number of simultaneous connections.
  var connections = 256
  /// The maximum number of connections per address. At most half of them are streams, which stay open.
  var connectionsPerAddress = 128
  /// The mean number of requests per second and address; short bursts may have twice as many.
  var requestsPerSecond = 2500.0
  /// The number of requests per second of a connection that are admitted even if others of its address send too many.
  var requestsPerConnection: Double { requestsPerSecond / 20 }
  /// The maximum time from the first byte of a request to its last, in seconds.
  var requestTime = 10.0
  /// The time that an idle connection is kept, in seconds.
  var idleTime = 75.0
  /// The time without input or output after which a connection ends if a new one needs its place, in seconds.
  var unusedTime = 1.0
  /// The number of pending bytes of a reader above which messages to it are dropped.
  var pending = 1 << 20
  /// The mean number of streams that an address may begin per second, after as many at once as it may have connections.
  var streamsPerSecond = 2.0
  /// The mean number of frames per second of a WebSocket's client; short bursts may have four times as many.
  var framesPerSecond = 50.0
  /// The number of pending bytes of a client above which nothing more is read from it.
  var unread = 1 << 16
  /// The number of bytes that a reader of lines may send, or a client after its last request.
  var ignored = 1 << 20
  /// The time without progress after which a reader is disconnected, in seconds.
  var stallTime = 20.0

  init() {}
}
