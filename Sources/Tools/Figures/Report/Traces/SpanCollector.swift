/// Collects the time intervals in which a condition holds, row by row.
struct SpanCollector {
  /// An interval from start to end, in seconds.
  struct Span: Equatable {
    var start: Double
    var end: Double
  }

  /// The maximum number of intervals; more could not be distinguished visually, so close ones are merged.
  private static let maximumSpanCount = 4000

  private(set) var spans: [Span] = []
  private var isOpen = false
  /// The distance below which intervals are merged, in seconds.
  private var closeness = 0.0

  /// Adds the value of the condition at a time.
  mutating func add(_ holds: Bool, at time: Double) {
    guard holds else {
      isOpen = false
      return
    }
    if isOpen || spans.last.map({ time - $0.end <= closeness }) == true {
      spans[spans.count - 1].end = time
    } else {
      spans.append(Span(start: time, end: time))
      if spans.count > Self.maximumSpanCount { join() }
    }
    isOpen = true
  }

  private mutating func join() {
    while spans.count > Self.maximumSpanCount / 2 {
      closeness = max(2 * closeness, 0.05)
      var joined: [Span] = []
      for span in spans {
        if let last = joined.last, span.start - last.end <= closeness {
          joined[joined.count - 1].end = span.end
        } else {
          joined.append(span)
        }
      }
      spans = joined
    }
  }
}
