internal import DequeModule
internal import InertialRotations

/// Brings the samples of one auxiliary channel to other times, in memory that does not grow with the log.
///
/// Each field is carried as its `carriage` says, and never over more than the channel's `longestInterpolation`, but for
/// `previous`, which holds for as long as nothing new is told. The age says how old a value is: seconds since the last
/// sample at or before the time; of a channel carried by its nearest sample, seconds since that one, negative where it
/// is still to come.
package struct AuxiliaryCarrier: Sendable {
  package let channel: AuxiliaryChannel
  /// Whether no more samples will come.
  package var isComplete = false

  private let fields: [AuxiliaryField]
  /// Whether values depend on the sample after the time.
  private let looksAhead: Bool
  private let isNearest: Bool
  /// In order of time; those before the last time asked for are gone, but for the last.
  private var samples: Deque<AuxiliarySample> = []

  package init(channel: AuxiliaryChannel) {
    precondition(!channel.isEvent, "\(channel.name) is a channel of events: they are listed, not carried")
    self.channel = channel
    fields = channel.fields
    looksAhead = fields.contains { $0.carriage != .previous }
    isNearest = fields.contains { $0.carriage == .nearest }
  }

  /// Numbers that are carried: a value of each field, and the age.
  package var count: Int { fields.count + 1 }

  /// Takes a sample. Those of equal time count in the order in which they come: the last one holds.
  package mutating func add(_ sample: AuxiliarySample) {
    precondition(sample.channel == channel, "a \(sample.channel.name) sample carried as \(channel.name)")
    var index = samples.endIndex
    while index > samples.startIndex, sample.time < samples[index - 1].time { index -= 1 }
    if index == samples.endIndex {
      samples.append(sample)
    } else {
      samples.insert(sample, at: index)
    }
  }

  /// Whether the values at a time cannot change any more, where all samples up to another time, `read`, have come.
  package func isSettled(at time: Double, read: Double) -> Bool {
    guard looksAhead, !isComplete else { return true }
    if let last = samples.last, last.time > time { return true }
    return read > time + channel.longestInterpolation
  }

  /// Writes the values and the age at a time to the first `count` places; NaN where there is none.
  ///
  /// Times must not decrease from call to call.
  package mutating func carry(to time: Double, into row: UnsafeMutableBufferPointer<Double>) {
    while samples.count > 1, samples[1].time <= time { samples.removeFirst() }
    for place in 0..<count { row[place] = .nan }
    guard let first = samples.first else { return }
    let previous = first.time <= time ? first : nil
    let next = first.time <= time ? (samples.count > 1 ? samples[1] : nil) : first
    if isNearest {
      carryNearest(to: time, previous, next, into: row)
      return
    }
    guard let previous else { return }
    row[fields.count] = time - previous.time
    if channel == .deviceAttitude, let next, previous.time < time {
      carryAttitude(to: time, previous, next, into: row)
      return
    }
    for (place, field) in fields.enumerated() {
      let value = previous.values[place]
      if field.carriage == .previous || previous.time == time {
        row[place] = value
      } else if let next, next.time - previous.time <= channel.longestInterpolation {
        let share = (time - previous.time) / (next.time - previous.time)
        row[place] = field.interpolate(value, next.values[place], share)
      }
    }
  }

  /// Along the shorter great arc: a quaternion and its negative are the same attitude.
  private func carryAttitude(
    to time: Double, _ previous: AuxiliarySample, _ next: AuxiliarySample, into row: UnsafeMutableBufferPointer<Double>
  ) {
    guard next.time - previous.time <= channel.longestInterpolation else { return }
    func quaternion(_ v: [Double]) -> Quaternion? { Quaternion(x: v[0], y: v[1], z: v[2], w: v[3]).normalized }
    guard let a = quaternion(previous.values), let b = quaternion(next.values) else { return }
    let q = a.slerp(to: b, fraction: (time - previous.time) / (next.time - previous.time))
    (row[0], row[1], row[2], row[3]) = (q.x, q.y, q.z, q.w)
  }

  private func carryNearest(
    to time: Double, _ previous: AuxiliarySample?, _ next: AuxiliarySample?,
    into row: UnsafeMutableBufferPointer<Double>
  ) {
    let before = previous.map { time - $0.time } ?? .infinity
    let after = next.map { $0.time - time } ?? .infinity
    guard let nearest = before <= after ? previous : next, min(before, after) <= channel.longestInterpolation else {
      return
    }
    for (place, value) in nearest.values.enumerated() { row[place] = value }
    row[fields.count] = time - nearest.time
  }
}
