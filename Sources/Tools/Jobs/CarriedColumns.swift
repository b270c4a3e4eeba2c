internal import InertialLogs
internal import InertialSensors

extension FusedColumn {
  /// The columns of channels that are carried to the rows: a channel's fields and their age, channel by channel. Their
  /// numbers stand behind those of `all` and `recognised`.
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
      add(channel.ageName, "s", "time since the sample that the values of \(channel.name) are of")
    }
    return columns
  }
}

extension AuxiliaryField.Carriage {
  fileprivate var words: String {
    switch self {
    case .previous: "last value"
    case .nearest: "nearest value"
    case .interpolated, .interpolatedAngle: "interpolated"
    }
  }
}

/// Rows that wait until what is carried to them is known.
///
/// A row waits for no longer, in time of the log, than the longest interpolation of its channels. What it gets does not
/// depend on when it is asked for.
struct CarriedRows {
  /// Numbers of a row: those of the motion, then those that are carried.
  let width: Int
  private let ownCount: Int
  private var carriers: [AuxiliaryCarrier]
  /// Waiting rows, one after another, and their times.
  private var values: [Double] = []
  private var times: [Double] = []

  init(ownCount: Int, channels: [AuxiliaryChannel]) {
    carriers = channels.filter { !$0.isEvent }.map { AuxiliaryCarrier(channel: $0) }
    self.ownCount = ownCount
    width = carriers.reduce(ownCount) { $0 + $1.count }
  }

  mutating func add(_ sample: AuxiliarySample) {
    for index in carriers.indices where carriers[index].channel == sample.channel { carriers[index].add(sample) }
  }

  mutating func append(_ row: [Double], time: Double) {
    values += row
    values.append(contentsOf: repeatElement(.nan, count: width - ownCount))
    times.append(time)
  }

  /// Whether enough rows wait for it to be worth while to give some on.
  var isFull: Bool { times.count >= 1024 && times.count.isMultiple(of: 512) }

  /// No more samples will come: every row can be given on.
  mutating func finish() {
    for index in carriers.indices { carriers[index].isComplete = true }
  }

  /// Gives the rows that are known to a closure, and forgets them.
  mutating func giveOn(_ consume: (UnsafeBufferPointer<Double>) throws(FusionError) -> Void) throws(FusionError) {
    guard let newest = times.last else { return }
    var count = 0
    values.withUnsafeMutableBufferPointer { values in
      while count < times.count {
        let time = times[count]
        guard carriers.allSatisfy({ $0.isSettled(at: time, read: newest) }) else { break }
        var place = count * width + ownCount
        for index in carriers.indices {
          let end = place + carriers[index].count
          carriers[index].carry(to: time, into: UnsafeMutableBufferPointer(rebasing: values[place..<end]))
          place = end
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
