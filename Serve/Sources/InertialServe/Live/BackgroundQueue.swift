internal import NIOPosix

/// Long work for the server's thread on another thread, one piece at a time, in order. Used by the server's thread.
final class BackgroundQueue: @unchecked Sendable {
  private let server: WebServer
  private var queue: [() -> Void] = []
  private var isBusy = false

  init(_ server: WebServer) { self.server = server }

  /// - Parameters:
  ///   - work: A closure that another thread calls.
  ///   - then: A closure that the server's thread calls with the result.
  func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void) {
    queue.append { [self] in
      let then = Unchecked(then)
      NIOThreadPool.singleton.submit { [self] _ in
        let result = work()
        server.post { [self] in
          isBusy = false
          then.value(result)
          begin()
        }
      }
    }
    begin()
  }

  private func begin() {
    guard !isBusy, !queue.isEmpty else { return }
    isBusy = true
    queue.removeFirst()()
  }
}
