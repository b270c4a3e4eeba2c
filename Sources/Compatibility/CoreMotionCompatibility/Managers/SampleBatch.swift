internal import Foundation

/// Collects the items of one second of the source's time and forwards them together.
final class SampleBatch<Item: CMLogItem>: @unchecked Sendable {
  typealias Handler = ([Item]?, (any Error)?) -> Void

  /// The duration of a batch, in seconds.
  private static var span: Double { 1 }

  private let monitor = Monitor()
  private let handler: Handler?
  private var items: [Item] = []
  private var last: [Item]?

  init(handler: Handler?) { self.handler = handler }

  /// The latest complete batch, or `nil` before the first one.
  var latest: [Item]? { monitor.withLock { last } }

  /// Adds an item, or forwards an error.
  func add(_ item: Item?, _ error: (any Error)?) {
    guard let item else {
      handler?(nil, error)
      return
    }
    let whole: [Item]? = monitor.withLock {
      // A grid of whole samples: rounding must not move a sample to the next batch.
      let isWhole = items.first.map { item.timestamp - $0.timestamp >= Self.span - 1e-6 } ?? false
      defer { items.append(item) }
      return isWhole ? take() : nil
    }
    if let whole { handler?(whole, nil) }
  }

  /// Forwards the last, incomplete batch.
  func finish() {
    let rest = monitor.withLock { items.isEmpty ? nil : take() }
    if let rest { handler?(rest, nil) }
  }

  private func take() -> [Item] {
    defer { items.removeAll(keepingCapacity: true) }
    last = items
    return items
  }
}
