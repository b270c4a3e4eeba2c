internal import InertialLogs
internal import InertialSensors

extension FusedColumn {
  /// Returns the columns of carried channels: for each channel its fields and their age. Their values follow those of
  /// `all` and `recognised`.
  static func carried(_ channels: [AuxiliaryChannel]) -> [FusedColumn] {
    var columns: [FusedColumn] = []
    func add(_ name: String, _ unit: String, _ meaning: String) {
      let index = all.count + recognised.count + columns.count
      columns.append(FusedColumn(name: name, unit: unit, meaning: meaning, index: index))
    }
    for channel in channels where !channel.isEvent {
      for field in channel.fields {
        add(field.name, field.unit, "\(field.meaning); \(field.carriage.words)")
      }
      add(channel.ageName, "s", "time since the sample of \(channel.name) that the values are from")
    }
    return columns
  }
}

extension AuxiliaryField.Interpolation {
  fileprivate var words: String {
    switch self {
    case .previous: "last value"
    case .nearest: "nearest value"
    case .interpolated, .interpolatedAngle: "interpolated"
    }
  }
}

/// A buffer of rows that need samples of other channels.
///
/// The maximum delay of a row, in the log's time, is the longest interpolation interval of its channels. The carried
/// values do not depend on when rows are retrieved.
struct PendingRows {
  /// The number of values in a row: those of the motion, then the carried ones.
  let width: Int
  private let ownCount: Int
  private var carriers: [AuxiliaryInterpolator]
  /// The buffered rows, concatenated, and their times.
  private var values: [Double] = []
  private var times: [Double] = []

  init(ownCount: Int, channels: [AuxiliaryChannel]) {
    carriers = channels.filter { !$0.isEvent }.map { AuxiliaryInterpolator(channel: $0) }
    self.ownCount = ownCount
    width = carriers.reduce(ownCount) { $0 + $1.count }
  }

  mutating func add(_ sample: AuxiliarySample) {
    for index in carriers.indices where carriers[index].channel == sample.channel { carriers[index].add(sample) }
  }

  mutating func append(_ row: ArraySlice<Double>, time: Double) {
    values += row
    values.append(contentsOf: repeatElement(.nan, count: width - ownCount))
    times.append(time)
  }

  /// Whether the buffer contains enough rows to pass some on efficiently.
  var isFull: Bool { times.count >= 1024 && times.count.isMultiple(of: 512) }

  /// Finishes the input of other channels, so that every row can be passed on.
  mutating func finish() {
    for index in carriers.indices { carriers[index].isComplete = true }
  }

  /// Passes the complete rows to a closure, and removes them.
  mutating func giveOn(_ consume: (UnsafeBufferPointer<Double>) throws(FusionError) -> Void) throws(FusionError) {
    guard let newest = times.last else { return }
    var count = 0
    values.withUnsafeMutableBufferPointer { values in
      while count < times.count {
        let time = times[count]
        guard carriers.allSatisfy({ $0.isSettled(at: time, read: newest) }) else { break }
        var position = count * width + ownCount
        for index in carriers.indices {
          let end = position + carriers[index].count
          carriers[index].carry(to: time, into: UnsafeMutableBufferPointer(rebasing: values[position..<end]))
          position = end
        }
        count += 1
      }
    }
    guard count > 0 else { return }
    try values.withUnsafeBufferPointer { values throws(FusionError) in
      try consume(UnsafeBufferPointer(rebasing: values[..<(count * width)]))
    }
    values.removeFirst(count * width)
    times.removeFirst(count)
  }
}
