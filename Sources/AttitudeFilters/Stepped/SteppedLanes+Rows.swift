internal import LinearAlgebra
internal import Sensors

extension SteppedLanes {
  /// Takes rows in which every lane has good samples of all sensors, one step after the last: nothing is asked of a
  /// lane alone then, and the vectors are those of the step's own time.
  mutating func takeRows(_ rows: Range<Int>, of columns: LaneColumns) -> Int {
    guard isInStep(hasField: columns.hasField) else { return rows.lowerBound }
    // Each compiled with what it has not.
    return columns.hasField
      ? takeRows(rows, of: columns, hasField: true) : takeRows(rows, of: columns, hasField: false)
  }

  /// Whether every sensor's last sample was of the same moment and was used, in each lane.
  private func isInStep(hasField: Bool) -> Bool {
    let isRejected = gate.gyroscopeRejected .| gate.accelerometerRejected .| gate.fieldRejected
    let isKnown = hasField ? (gate.fieldTime .<= gate.gyroscopeTime) .& isHeadingTied : .!field.exists
    return ((gate.accelerometerTime .== gate.gyroscopeTime) .& isKnown .& .!isRejected).isAll
  }

  @inline(__always)
  private mutating func takeRows(_ rows: Range<Int>, of columns: LaneColumns, hasField: Bool) -> Int {
    let all = Lanes.Mask(repeating: true)
    let isTurned = isOutputTurned.isAny
    let none = LaneVector3<Lanes>(.zero)
    // What changes from row to row, apart from the rest of the state: so it can stay in registers.
    var (attitude, bias, time) = (self.attitude, self.bias, gate.gyroscopeTime)
    var (rest, heldRate) = (self.rest, self.heldRate)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let now = columns.time(row)
      let (rate, acceleration) = (columns.rate(row), columns.acceleration(row))
      let field = hasField ? columns.field(row) : none
      let dt = now - time
      guard isGood(rate, acceleration, field, hasField: hasField, dt: dt) else { break }
      let weight = LaneRest.weight(of: dt)
      rest.add(rate: rate, dt: dt, weight: weight, where: all)
      rest.add(acceleration: acceleration, weight: weight, where: all)
      let mean = heldRate.mean(rate, over: dt, where: all)
      step.advance(
        &attitude, &bias,
        by: LaneMotionStep(
          rate: mean, acceleration: acceleration, hasAcceleration: all, magneticField: field,
          hasField: Lanes.Mask(repeating: hasField), duration: dt, isWhole: true))
      time = now
      columns.put(
        LaneEstimate(
          earthFromDevice: isTurned ? turned(attitude) : attitude, gyroscopeBias: bias, flags: rest.flags), row: row)
      row += 1
    }
    guard row > rows.lowerBound else { return row }
    (self.attitude, self.bias, self.rest, self.heldRate) = (attitude, bias, rest, heldRate)
    (gate.gyroscopeTime, gate.accelerometerTime) = (time, time)
    self.acceleration.take(LaneSample(time: time, value: columns.acceleration(row - 1), exists: all), where: all)
    if hasField {
      gate.fieldTime = time
      self.field.take(LaneSample(time: time, value: columns.field(row - 1), exists: all), where: all)
    }
    return row
  }

  /// Whether each lane can use what it has; a sample near a limit is left to those who look more closely.
  @inline(__always)
  private func isGood(
    _ rate: LaneVector3<Lanes>, _ acceleration: LaneVector3<Lanes>, _ field: LaneVector3<Lanes>, hasField: Bool,
    dt: Lanes
  ) -> Bool {
    // No component is above the norm. Less a thousandth: the squares are rounded.
    func squared(_ limit: Double) -> Lanes { Lanes(repeating: 0.999 * limit * limit) }
    let limits = SensorLimits.standard
    let force = acceleration.squaredNorm
    var isGood = (Lanes(repeating: 0) .< dt) .& (dt .<= gapThreshold)
    isGood = isGood .& (rate.squaredNorm .<= squared(limits.rotationRate))
    isGood = isGood .& (force .<= squared(limits.acceleration)) .& (Self.leastForce .<= force)
    if hasField { isGood = isGood .& LaneGate.allowsField(field) }
    return isGood.isAll
  }
}
