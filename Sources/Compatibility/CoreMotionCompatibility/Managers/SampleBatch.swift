internal import Foundation

/// Gathers the items of a second of the source's time, and hands them on together.
final class SampleBatch<Item: CMLogItem>: @unchecked Sendable {
  typealias Handler = ([Item]?, (any Error)?) -> Void

  /// Seconds that a batch spans.
  private static var span: Double { 1 }

  private let monitor = Monitor()
  private let handler: Handler?
  private var items: [Item] = []
  private var last: [Item]?

  init(handler: Handler?) { self.handler = handler }

  /// The batch that is whole; nil before the first.
  var latest: [Item]? { monitor.withLock { last } }

  func add(_ item: Item) {
    let whole: [Item]? = monitor.withLock {
      // A grid of whole samples: half a sample's rounding must not move one to the next batch.
      let isWhole = items.first.map { item.timestamp - $0.timestamp >= Self.span - 1e-6 } ?? false
      defer { items.append(item) }
      return isWhole ? take() : nil
    }
    if let whole { handler?(whole, nil) }
  }

  /// Hands on what there is: nothing more will come.
  func finish() {
    let rest = monitor.withLock { items.isEmpty ? nil : take() }
    if let rest { handler?(rest, nil) }
  }

  func fail(_ error: CMError) { handler?(nil, error.nsError) }

  private func take() -> [Item] {
    defer { items.removeAll(keepingCapacity: true) }
    last = items
    return items
  }
}
