internal import DequeModule
internal import InertialRotations

/// An interpolator of one auxiliary channel's samples to other times, in memory that does not grow with the log.
///
/// Each field is interpolated according to its `carriage`, and never over more than the channel's
/// `maximumInterpolationInterval`, except `previous`, which holds until the next sample. The age of a value is the time since
/// the last sample at or before the requested time, in seconds; for a channel that uses the nearest sample, it is the
/// time since that sample, negative if the sample is later.
package struct AuxiliaryInterpolator: Sendable {
  package let channel: AuxiliaryChannel
  /// Whether the input is complete.
  package var isComplete = false

  private let fields: [AuxiliaryField]
  /// Whether values depend on the sample after the requested time.
  private let looksAhead: Bool
  private let isNearest: Bool
  /// The samples sorted by time. Of the samples before the last requested time, only the last is kept.
  private var samples: Deque<AuxiliarySample> = []

  package init(channel: AuxiliaryChannel) {
    precondition(!channel.isEvent, "\(channel.name) is a channel of events: they are listed, not interpolated")
    self.channel = channel
    fields = channel.fields
    looksAhead = fields.contains { $0.carriage != .previous }
    isNearest = fields.contains { $0.carriage == .nearest }
  }

  /// The number of interpolated numbers: a value of each field, and the age.
  package var count: Int { fields.count + 1 }

  /// Adds a sample. Of several samples with equal times, the last one added holds.
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

  /// Returns whether the values at a time are final, if all samples up to another time, `read`, have been added.
  package func isSettled(at time: Double, read: Double) -> Bool {
    guard looksAhead, !isComplete else { return true }
    if let last = samples.last, last.time > time { return true }
    return read > time + channel.maximumInterpolationInterval
  }

  /// Writes the values and the age at a time to the first `count` elements; `NaN` for missing values.
  ///
  /// Times must not decrease from call to call.
  package mutating func carry(to time: Double, into row: UnsafeMutableBufferPointer<Double>) {
    while samples.count > 1, samples[1].time <= time { samples.removeFirst() }
    for position in 0..<count { row[position] = .nan }
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
    for (position, field) in fields.enumerated() {
      let value = previous.values[position]
      if field.carriage == .previous || previous.time == time {
        row[position] = value
      } else if let next, next.time - previous.time <= channel.maximumInterpolationInterval {
        let fraction = (time - previous.time) / (next.time - previous.time)
        row[position] = field.interpolate(value, next.values[position], fraction)
      }
    }
  }

  /// Interpolates along the shorter great arc: a quaternion and its negative are the same attitude.
  private func carryAttitude(
    to time: Double, _ previous: AuxiliarySample, _ next: AuxiliarySample, into row: UnsafeMutableBufferPointer<Double>
  ) {
    guard next.time - previous.time <= channel.maximumInterpolationInterval else { return }
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
    guard let nearest = before <= after ? previous : next, min(before, after) <= channel.maximumInterpolationInterval
    else {
      return
    }
    for (position, value) in nearest.values.enumerated() { row[position] = value }
    row[fields.count] = time - nearest.time
  }
}

extension AuxiliaryInterpolator: Codable {
  private enum CodingKeys: CodingKey { case channel, isComplete, samples }

  package init(from decoder: any Decoder) throws {
    let saved = try decoder.container(keyedBy: CodingKeys.self)
    self.init(channel: try saved.decode(AuxiliaryChannel.self, forKey: .channel))
    isComplete = try saved.decode(Bool.self, forKey: .isComplete)
    samples = try saved.decode(Deque<AuxiliarySample>.self, forKey: .samples)
  }

  package func encode(to encoder: any Encoder) throws {
    var saved = encoder.container(keyedBy: CodingKeys.self)
    try saved.encode(channel, forKey: .channel)
    try saved.encode(isComplete, forKey: .isComplete)
    try saved.encode(samples, forKey: .samples)
  }
}
