/// Stretches of time in which something holds, gathered row by row.
struct SpanCollector {
  /// Seconds from start to end.
  struct Span: Equatable {
    var start: Double
    var end: Double
  }

  /// More than this many are told more coarsely: no eye could tell them apart.
  private static let most = 4000

  private(set) var spans: [Span] = []
  private var isOpen = false
  /// Spans that are closer than this are one, seconds.
  private var closeness = 0.0

  /// Takes whether it holds at a time.
  mutating func add(_ holds: Bool, at time: Double) {
    guard holds else {
      isOpen = false
      return
    }
    if isOpen || spans.last.map({ time - $0.end <= closeness }) == true {
      spans[spans.count - 1].end = time
    } else {
      spans.append(Span(start: time, end: time))
      if spans.count > Self.most { join() }
    }
    isOpen = true
  }

  private mutating func join() {
    while spans.count > Self.most / 2 {
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
