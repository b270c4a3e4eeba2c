internal import InertialLogs
internal import InertialSensors

/// A buffer of rows that need samples of other channels.
///
/// The maximum delay of a row, in the log's time, is the longest interpolation interval of its channels. The carried
/// values do not depend on when rows are retrieved.
struct RowsAwaitingChannels: Codable {
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

  /// Whether the buffer contains enough rows to take some efficiently.
  var isFull: Bool {
    times.count >= 2 * FusionStage.blockLength && times.count.isMultiple(of: FusionStage.blockLength)
  }

  /// Finishes the input of other channels, so that every row can be passed on.
  mutating func finish() {
    for index in carriers.indices { carriers[index].isComplete = true }
  }

  /// Passes the complete rows to a closure, and removes them.
  mutating func takeComplete(_ consume: (UnsafeBufferPointer<Double>) throws(FusionError) -> Void) throws(FusionError) {
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
