internal import LinearAlgebra
internal import Sensors

/// Stretches in which every lane's sensors share one clock: rows are read and written where they lie.
extension LaneRun {
  /// Fewer rows than this are quicker by blocks.
  private static var leastCount: Int { 8 }

  /// Computes the next rows of all lanes, if all stand in such a stretch.
  ///
  /// - Returns: false where it did nothing.
  mutating func runStretch(_ motion: (Int) -> MotionColumns) -> Bool {
    guard let first = lanes.firstIndex(where: { $0 != nil }) else { return false }
    var (count, hasField) = (Int.max, false)
    for (lane, job) in lanes.enumerated() {
      guard let job else { continue }
      count = min(count, rowsAhead(job, motion(job.index)))
      if lane == first { hasField = job.stretch.hasField }
      guard count >= Self.leastCount, job.stretch.hasField == hasField else { return false }
    }
    columns.hasField = hasField
    // A lane without a job does what the first one does, in the same place.
    if lanes.contains(where: { $0 == nil }), let job = lanes[first] {
      job.filter = body.store(lane: first, to: job.filter)
      for lane in lanes.indices where lanes[lane] == nil { body.load(job.filter, lane: lane) }
    }
    var opened: [LaneColumns.Lane?] = Array(repeating: nil, count: Lanes.laneCount)
    var leaving = Lanes.Mask(repeating: false)
    let done = open(0, &opened, count, &leaving, motion)
    for (lane, job) in lanes.enumerated() {
      guard let job else { continue }
      job.cursor = job.cursor.advanced(byPlain: done, hasField: hasField)
      if leaving[lane] { leave(job, lane) }
    }
    return true
  }

  private mutating func rowsAhead(_ job: Job, _ motion: MotionColumns) -> Int {
    if let count = job.stretch.rowsAhead(of: job.cursor, in: motion) { return count }
    if isOneMotion, let count = stretch.rowsAhead(of: job.cursor, in: motion) {
      job.stretch = stretch
      return count
    }
    job.stretch = LaneStretch(at: job.cursor, of: motion)
    stretch = job.stretch
    return job.stretch.rowsAhead(of: job.cursor, in: motion) ?? 0
  }

  /// Opens the columns of one lane after the other, and then computes the rows.
  ///
  /// - Returns: how many rows were taken.
  private mutating func open(
    _ lane: Int, _ opened: inout [LaneColumns.Lane?], _ count: Int, _ leaving: inout Lanes.Mask,
    _ motion: (Int) -> MotionColumns
  ) -> Int {
    guard lane < Lanes.laneCount else {
      guard let first = opened.lazy.compactMap({ $0 }).first else { return 0 }
      columns.set(opened.map { $0 ?? first })
      return take(count, &leaving)
    }
    guard let job = lanes[lane] else { return open(lane + 1, &opened, count, &leaving, motion) }
    let (motion, own) = (motion, motion(job.index))
    var done = 0
    own.gyroscope.times.withUnsafeBufferPointer { times in
      own.gyroscope.values.withUnsafeBufferPointer { rates in
        own.accelerometer.values.withUnsafeBufferPointer { accelerations in
          own.magneticField.values.withUnsafeBufferPointer { fields in
            guard let times = times.baseAddress, let rates = rates.baseAddress,
              let accelerations = accelerations.baseAddress
            else { return }
            let fields = columns.hasField ? fields.baseAddress.map { $0 + job.cursor.field } : nil
            job.result.append(upTo: count + 1) { quaternions, biases, flags in
              opened[lane] = LaneColumns.Lane(
                times: times + job.cursor.row, rates: rates + job.cursor.row,
                accelerations: accelerations + job.cursor.acceleration, fields: fields, quaternions: quaternions,
                gyroscopeBiases: biases, flags: flags)
              done = open(lane + 1, &opened, count, &leaving, motion)
              return done
            }
          }
        }
      }
    }
    return done
  }

  private mutating func take(_ count: Int, _ leaving: inout Lanes.Mask) -> Int {
    var row = 0
    while true {
      row = body.takeRows(row..<count, of: columns)
      guard row < count else { return count }
      let tick = columns.tick(row)
      leaving = body.leaves(tick)
      if leaving.isAny { return row }
      body.take(tick)
      columns.put(body.estimate, row: row)
      row += 1
    }
  }
}
