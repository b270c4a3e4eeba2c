internal import LinearAlgebra

/// How far a recording's columns have been given to a filter, in the order of `AttitudeFilter.estimates(of:)`.
struct LaneCursor: Sendable {
  /// Rows of the gyroscope whose estimate is out.
  private(set) var row = 0
  private(set) var acceleration = 0
  private(set) var field = 0
  /// Whether the row's rate was given already, and some of its vectors not.
  private(set) var isOpen = false

  func isAtEnd(of motion: MotionColumns) -> Bool { row >= motion.gyroscope.count }

  /// Whether the next row is later than the last.
  func isAtNewTime(of motion: MotionColumns) -> Bool {
    isAtEnd(of: motion) || row == 0 || motion.gyroscope.times[row] > motion.gyroscope.times[row - 1]
  }

  /// Gives a filter the samples up to the end of the row.
  @inline(__always)
  mutating func advance<Filter: AttitudeFilter>(_ filter: inout Filter, through motion: MotionColumns) {
    let time = motion.gyroscope.times[row]
    // Rates of one time are all taken before its vectors.
    let isLast = row + 1 == motion.gyroscope.count || motion.gyroscope.times[row + 1] > time
    if !isOpen {
      takeVectors(&filter, motion) { $0 < time }
      if isLast, isAlone(acceleration, of: motion.accelerometer, at: time) {
        let hasField = field < motion.magneticField.count && motion.magneticField.times[field] <= time
        filter.update(
          gyroscope: motion.gyroscope.values[row], accelerometer: motion.accelerometer.values[acceleration],
          magneticField: hasField ? motion.magneticField.values[field] : nil, at: time)
        acceleration += 1
        if hasField { field += 1 }
      } else {
        filter.update(gyroscope: motion.gyroscope.values[row], at: time)
      }
    }
    if isLast { takeVectors(&filter, motion) { $0 <= time } }
    isOpen = false
    row += 1
  }

  /// Whether a sample is of a time and the next is not.
  @inline(__always)
  private func isAlone(_ index: Int, of column: SensorColumn, at time: Double) -> Bool {
    index < column.count && column.times[index] == time
      && (index + 1 == column.count || column.times[index + 1] > time)
  }

  /// Gives a filter the vectors after the last row.
  mutating func takeRest<Filter: AttitudeFilter>(of motion: MotionColumns, by filter: inout Filter) {
    takeVectors(&filter, motion) { _ in true }
  }

  @inline(__always)
  private mutating func takeVectors<Filter: AttitudeFilter>(
    _ filter: inout Filter, _ motion: MotionColumns, _ isDue: (Double) -> Bool
  ) {
    while true {
      let nextAcceleration =
        acceleration < motion.accelerometer.count ? motion.accelerometer.times[acceleration] : .infinity
      let nextField = field < motion.magneticField.count ? motion.magneticField.times[field] : .infinity
      if nextAcceleration <= nextField, acceleration < motion.accelerometer.count, isDue(nextAcceleration) {
        filter.update(accelerometer: motion.accelerometer.values[acceleration], at: nextAcceleration)
        acceleration += 1
      } else if field < motion.magneticField.count, isDue(nextField) {
        filter.update(magneticField: motion.magneticField.values[field], at: nextField)
        field += 1
      } else {
        return
      }
    }
  }

  // MARK: Lanes

  /// What was put into a block for one lane.
  struct Staged: Sendable {
    /// Ticks at the start that are a row each, with a sample of each sensor that has any left.
    var plainCount = 0
    /// The cursor at the start, that after the plain ticks, and that after each further tick.
    var start = LaneCursor()
    var cursors: [LaneCursor] = []
    /// Whether the lane cannot go on after its last tick: its filter has to take a row.
    var isStopped = false

    var tickCount: Int { plainCount + cursors.count - 1 }

    /// The cursor before a tick, or after the last.
    func cursor(before tick: Int) -> LaneCursor {
      tick < plainCount
        ? start.advanced(byPlain: tick, hasField: cursors[0].field > start.field) : cursors[tick - plainCount]
    }
  }

  func advanced(byPlain count: Int, hasField: Bool) -> LaneCursor {
    var cursor = self
    cursor.row += count
    cursor.acceleration += count
    if hasField { cursor.field += count }
    return cursor
  }

  /// Puts the ticks that need no looking about: the sensors share a clock, and none has a sample between.
  private mutating func stagePlain(
    _ motion: MotionColumns, lane: Int, in block: LaneBlock
  ) -> Int {
    let (rates, accelerations, fields) = (motion.gyroscope, motion.accelerometer, motion.magneticField)
    let hasField = field < fields.count
    // The last sample of each is left to the other way: this one looks at the next.
    let count = min(
      LaneBlock.tickCount, rates.count - row - 1, accelerations.count - acceleration - 1,
      hasField ? fields.count - field - 1 : .max)
    guard count > 0, !isOpen else { return 0 }
    let plainCount = plainCount(
      rates.times.span, accelerations.times.span, hasField ? fields.times.span : nil, limit: count)
    guard plainCount > 0 else { return 0 }
    let rows = row..<row + plainCount
    block.put(rates.values.span.extracting(rows), at: rates.times.span.extracting(rows), .gyroscope, lane: lane)
    block.put(
      accelerations.values.span.extracting(acceleration..<acceleration + plainCount),
      at: rates.times.span.extracting(rows), .accelerometer, lane: lane)
    if hasField {
      block.put(
        fields.values.span.extracting(field..<field + plainCount), at: rates.times.span.extracting(rows),
        .magneticField, lane: lane)
      field += plainCount
    } else {
      for tick in 0..<plainCount { block.putNone(.magneticField, tick: tick, lane: lane) }
    }
    row += plainCount
    acceleration += plainCount
    return plainCount
  }

  /// How many of the next rows have all their samples at their own time.
  private func plainCount(
    _ times: Span<Double>, _ accelerationTimes: Span<Double>, _ fieldTimes: Span<Double>?, limit: Int
  ) -> Int {
    var count = 0
    if let fieldTimes {
      while count < limit {
        let time = times[row + count]
        guard times[row + count + 1] > time, accelerationTimes[acceleration + count] == time,
          accelerationTimes[acceleration + count + 1] > time, fieldTimes[field + count] == time,
          fieldTimes[field + count + 1] > time
        else { break }
        count += 1
      }
    } else {
      while count < limit {
        let time = times[row + count]
        guard times[row + count + 1] > time, accelerationTimes[acceleration + count] == time,
          accelerationTimes[acceleration + count + 1] > time
        else { break }
        count += 1
      }
    }
    return count
  }

  /// Puts as many ticks as there are and as fit into a block. One tick has at most one sample of each sensor; samples
  /// before a row's rate have a tick of their own.
  ///
  /// - Parameter inOrder: no field is put beside an acceleration that is later, or that another is to follow first.
  func stage(
    _ motion: MotionColumns, lane: Int, in block: LaneBlock, inOrder: Bool, _ staged: inout Staged
  ) {
    let rates = motion.gyroscope
    let (accelerations, fields) = (motion.accelerometer, motion.magneticField)
    var cursor = self
    staged.cursors.removeAll(keepingCapacity: true)
    staged.isStopped = false
    staged.start = self
    var tick = cursor.stagePlain(motion, lane: lane, in: block)
    staged.plainCount = tick
    while tick < LaneBlock.tickCount, cursor.row < rates.count {
      let time = rates.times[cursor.row]
      if cursor.row + 1 < rates.count, rates.times[cursor.row + 1] <= time {
        // Rates of one time share their vectors, one row after the other.
        staged.isStopped = true
        break
      }
      staged.cursors.append(cursor)
      var (hasAcceleration, hasField) = (false, false)
      if cursor.acceleration < accelerations.count {
        hasAcceleration = accelerations.times[cursor.acceleration] <= time
      }
      if cursor.field < fields.count { hasField = fields.times[cursor.field] <= time }
      let isEarly =
        !cursor.isOpen
        && ((hasAcceleration && accelerations.times[cursor.acceleration] < time)
          || (hasField && fields.times[cursor.field] < time))
      if isEarly || cursor.isOpen {
        block.putNone(.gyroscope, tick: tick, lane: lane)
      } else {
        block.put(rates.values[cursor.row], at: time, .gyroscope, tick: tick, lane: lane)
      }
      // Beside an early sample, one of the row's own time waits.
      if isEarly {
        hasAcceleration = hasAcceleration && accelerations.times[cursor.acceleration] < time
        hasField = hasField && fields.times[cursor.field] < time
      }
      if inOrder, hasAcceleration, hasField {
        let (fieldTime, next) = (fields.times[cursor.field], cursor.acceleration + 1)
        hasAcceleration = accelerations.times[cursor.acceleration] <= fieldTime
        hasField = !hasAcceleration || next == accelerations.count || accelerations.times[next] > fieldTime
      }
      if hasAcceleration {
        block.put(
          accelerations.values[cursor.acceleration], at: accelerations.times[cursor.acceleration], .accelerometer,
          tick: tick, lane: lane)
        cursor.acceleration += 1
      } else {
        block.putNone(.accelerometer, tick: tick, lane: lane)
      }
      if hasField {
        block.put(fields.values[cursor.field], at: fields.times[cursor.field], .magneticField, tick: tick, lane: lane)
        cursor.field += 1
      } else {
        block.putNone(.magneticField, tick: tick, lane: lane)
      }
      if !isEarly {
        cursor.isOpen =
          (cursor.acceleration < accelerations.count && accelerations.times[cursor.acceleration] <= time)
          || (cursor.field < fields.count && fields.times[cursor.field] <= time)
        if !cursor.isOpen { cursor.row += 1 }
      }
      tick += 1
    }
    staged.cursors.append(cursor)
    for none in tick..<LaneBlock.tickCount {
      block.putNone(.gyroscope, tick: none, lane: lane)
      block.putNone(.accelerometer, tick: none, lane: lane)
      block.putNone(.magneticField, tick: none, lane: lane)
    }
  }
}
