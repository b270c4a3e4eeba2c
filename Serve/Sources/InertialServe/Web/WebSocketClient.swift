internal import InertialLive
internal import InertialLogs
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// A client for the WebSocket of a phone's own server, which blocks the calling thread.
final class WebSocketClient {
  /// The maximum size of a message, in bytes.
  private static let maximumMessageSize = 8 << 20

  private let name: String
  private let timeout: Double
  private let channel: any Channel
  private let inbox = Inbox()

  /// Opens a WebSocket.
  ///
  /// - Parameter timeout: The time without a message after which the connection counts as broken, in seconds.
  /// - Throws: `WebError` if the handshake fails.
  init(host: String, port: UInt16, path: String, timeout: Double = 30) throws(WebError) {
    (name, self.timeout) = ("\(host):\(port)", timeout)
    let descriptor = try openConnection(host: host, port: port, timeout: timeout)
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": "\(host):\(port)"])
    do {
      let isOpen = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Bool.self)
      channel = try ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { [inbox] channel in
          channel.eventLoop.makeCompletedFuture {
            var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
              upgradeConfiguration: Self.upgrade(head, inbox))
            // The first frames may arrive together with the handshake.
            configuration.leftOverBytesStrategy = .forwardBytes
            try channel.pipeline.syncOperations
              .configureUpgradableHTTPClientPipeline(configuration: configuration).cascade(to: isOpen)
          }
        }
        .withConnectedSocket(descriptor).wait()
      channel.closeFuture.whenComplete { _ in isOpen.succeed(false) }
      channel.eventLoop.scheduleTask(in: .seconds(Int64(timeout))) { isOpen.succeed(false) }
      guard try isOpen.futureResult.wait() else { throw WebError(description: "no handshake") }
    } catch {
      throw WebError(description: "\(name)\(path): is not a WebSocket; check the address")
    }
  }

  deinit { channel.close(promise: nil) }

  private static func upgrade(
    _ head: HTTPRequestHead, _ inbox: Inbox
  ) -> NIOTypedHTTPClientUpgradeConfiguration<Bool> {
    let upgrader = NIOTypedWebSocketClientUpgrader<Bool>(maxFrameSize: maximumMessageSize) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        // One read at a time, so that pending messages need little memory.
        try channel.syncOptions?.setOption(.autoRead, value: false)
        let frames = NIOWebSocketFrameAggregator(
          minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1 << 16, maxAccumulatedFrameSize: maximumMessageSize)
        try channel.pipeline.syncOperations.addHandlers(frames, inbox)
        return true
      }
    }
    return NIOTypedHTTPClientUpgradeConfiguration(
      upgradeRequestHead: head, upgraders: [upgrader],
      notUpgradingCompletionHandler: { channel in channel.eventLoop.makeSucceededFuture(false) })
  }

  /// Waits for the next text message; returns `nil` if the peer has ended the connection.
  func next() throws(WebError) -> [UInt8]? {
    let end = MonotonicClock.now + timeout
    inbox.monitor.lock()
    defer { inbox.monitor.unlock() }
    if inbox.messages.isEmpty, !inbox.hasEnded { channel.read() }
    while inbox.messages.isEmpty, !inbox.hasEnded {
      guard MonotonicClock.now < end else {
        throw WebError(
          description: "\(name): it does not answer; check the address, and that the phone's app is running")
      }
      inbox.monitor.wait(until: end)
    }
    return inbox.messages.popFirst()
  }

  /// The messages that have not been taken, under the monitor's lock.
  private final class Inbox: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    let monitor = Monitor()
    var messages = CircularBuffer<[UInt8]>()
    var hasEnded = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      switch frame.opcode {
      case .text, .binary:
        monitor.withLock {
          messages.append(Array(frame.unmaskedData.readableBytesView))
          monitor.broadcast()
        }
      case .ping:
        let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
      case .connectionClose: context.close(promise: nil)
      default: break
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      if monitor.withLock({ messages.isEmpty }) { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
      monitor.withLock {
        hasEnded = true
        monitor.broadcast()
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
