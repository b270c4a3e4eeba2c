/// The values of a recogniser over time, from the whole log.
protocol KnownValues: Sendable {
  /// The values at the time of the last `advance`, in the order of the recogniser's columns; `NaN` if unknown.
  var values: [Double] { get }
  /// The time in seconds before which `values` stay the same, after an `advance`; −infinity if unknown.
  var change: Double { get }
  /// The events in chronological order.
  var events: [RecognisedEvent] { get }

  /// Moves on to a time in seconds, which must not decrease.
  mutating func advance(to time: Double)
  /// Starts over before the first time after a gap that splits the dataset, so that counts begin at 0 again.
  mutating func restart()
}

extension KnownValues {
  var change: Double { -.infinity }
  mutating func restart() {}
}

/// The values of the recognisers that use the whole log, for rows in chronological order.
struct KnownColumns: Sendable {
  /// The recognisers' values, with the index of the first one in `FusedColumn.recognised`.
  private var parts: [(values: any KnownValues, place: Int)] = []
  /// The times of the first motion of the log and after each gap that splits the dataset, in seconds.
  private let starts: [Double]
  /// For each part, the index in `starts` of the next start.
  private var next: [Int]

  init(_ parts: [Recognition: any KnownValues], starts: [Double]) {
    self.parts = Recognition.allCases.compactMap { recognition in
      parts[recognition].map { ($0, recognition.place) }
    }
    self.starts = starts
    next = Array(repeating: 0, count: self.parts.count)
  }

  /// The events of all recognisers.
  var events: [RecognisedEvent] { parts.flatMap(\.values.events) }

  /// Sets the values of rows of columns, without those at times that are not finite.
  ///
  /// - Parameters:
  ///   - rows: The rows, one after the other.
  ///   - times: The times of the rows in seconds.
  ///   - columns: The indices of the recognised values in a row, and their indices in `FusedColumn.recognised`.
  mutating func fill(
    _ rows: inout [Double], at times: [Double], columns: [(column: Int, index: Int)]
  ) {
    let width = rows.count / max(times.count, 1)
    for part in parts.indices {
      let place = parts[part].place
      var (values, change) = (parts[part].values.values, -Double.infinity)
      let own = columns.filter { (place..<(place + values.count)).contains($0.index) }
      for (row, time) in times.enumerated() where time.isFinite {
        // Most rows have the values of the previous row.
        if time >= change {
          advance(part, to: time)
          let start = next[part] < starts.count ? starts[next[part]] : .infinity
          (values, change) = (parts[part].values.values, min(parts[part].values.change, start))
        }
        for (column, index) in own { rows[row * width + column] = values[index - place] }
      }
    }
  }

  /// Sets the latest values in a row of `FusedColumn.recognised`.
  func fill(_ recognised: inout [Double]) {
    for (values, place) in parts where !recognised.isEmpty {
      for (offset, value) in values.values.enumerated() { recognised[place + offset] = value }
    }
  }

  private mutating func advance(_ part: Int, to time: Double) {
    while next[part] < starts.count, starts[next[part]] <= time {
      parts[part].values.restart()
      parts[part].values.advance(to: starts[next[part]])
      next[part] += 1
    }
    parts[part].values.advance(to: time)
  }
}
