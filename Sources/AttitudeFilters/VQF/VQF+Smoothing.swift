internal import LinearAlgebra
internal import Rotations

extension VQF {
  /// The offline form: attitudes of a whole recording, each from all of it.
  ///
  /// Laidig and Seel 2023, the offline variant: the filter runs forward and backward for bias, rest and disturbances;
  /// then the gyroscope is integrated with the combined bias, and the low-passes of force and heading run forward and
  /// backward, so that they have no delay. All sensors at one rate give the published results; other sensors are taken
  /// at their own stamps with the latest attitude.
  ///
  /// - `parameters`: those of the filter; rates that are not given are the columns' medians.
  public static func smoothed(
    _ columns: MotionColumns, parameters: Parameters = Parameters()
  ) -> SmoothedAttitudes {
    let columns = columns.admitted()
    guard columns.gyroscope.count > 0, columns.accelerometer.count > 0 else { return SmoothedAttitudes() }
    var smoother = VQFSmoother(columns, parameters)
    smoother.learn()
    smoother.integrate()
    smoother.level()
    smoother.correctHeading()
    return smoother.result
  }
}

/// The steps of the offline form and what each leaves for the next.
private struct VQFSmoother {
  let columns: MotionColumns
  let parameters: VQF.Parameters
  let intervals: VQFIntervals
  var result = SmoothedAttitudes()
  /// Whether the field is disturbed at each of its samples.
  var fieldIsDisturbed: [Bool] = []
  /// The gyroscope's integral at each of its samples.
  var inertialFromDevice: [Quaternion] = []
  /// The 6-axis attitude at each sample of the gyroscope.
  var levelFromDevice: [Quaternion] = []
  /// Stretches without gaps, of gyroscope samples and of the others' samples among them.
  var segments: [Segment] = []

  struct Segment {
    var gyroscope: Range<Int>
    var accelerometer: Range<Int>
    var field: Range<Int>
  }

  init(_ columns: MotionColumns, _ parameters: VQF.Parameters) {
    self.columns = columns
    self.parameters = parameters
    func interval(_ rate: Double, _ column: MotionColumns.Column) -> SampleInterval {
      SampleInterval(rate > 0 ? 1 / rate : medianInterval(column.times))
    }
    intervals = VQFIntervals(
      gyroscope: interval(parameters.gyroscopeRate, columns.gyroscope),
      accelerometer: interval(parameters.accelerometerRate, columns.accelerometer),
      field: interval(parameters.magneticFieldRate, columns.magneticField))
    segments = Self.segments(columns, gapThreshold: parameters.gapThreshold)
  }

  // MARK: Bias, rest and disturbances

  /// Runs the filter both ways; a bias is the mean of both weighted with their information, and what one of them
  /// knows of rest or good field holds.
  mutating func learn() {
    let forward = pass(isReversed: false)
    let backward = pass(isReversed: true)
    let initial = parameters.initialBiasSigma
    result.times = columns.gyroscope.times
    for index in result.times.indices {
      let (a, b) = (forward.beliefs[index], backward.beliefs[index])
      result.isResting.append(a.isResting || b.isResting)
      result.isFieldDisturbed.append(a.isFieldDisturbed && b.isFieldDisturbed)
      result.isFieldKnown.append(a.isFieldKnown || b.isFieldKnown)
      // Backward in time every rate is the other way round, and so is the bias.
      if let p = a.covariance.inverse, let q = b.covariance.inverse, let covariance = (p + q).inverse {
        result.gyroscopeBiases.append(covariance * (p * a.bias - q * b.bias))
        result.gyroscopeBiasSigmas.append(min(covariance.largestRowSum.squareRoot(), initial))
      } else {
        result.gyroscopeBiases.append(a.bias)
        result.gyroscopeBiasSigmas.append(min(a.covariance.largestRowSum.squareRoot(), initial))
      }
    }
    fieldIsDisturbed = zip(forward.fieldIsDisturbed, backward.fieldIsDisturbed).map { $0 && $1 }
  }

  /// What the filter knows when it has taken all up to the next sample of the gyroscope.
  private struct Belief {
    var bias: Vector3
    var covariance: SymmetricMatrix3
    var isResting: Bool
    var isFieldDisturbed: Bool
    var isFieldKnown: Bool
  }

  private struct Pass {
    var beliefs: [Belief] = []
    var fieldIsDisturbed: [Bool] = []
  }

  private func pass(isReversed: Bool) -> Pass {
    var filter = VQF(parameters: parameters, state: VQF.State(parameters, intervals: intervals))
    var pass = Pass()
    pass.beliefs.reserveCapacity(columns.gyroscope.count)
    pass.fieldIsDisturbed.reserveCapacity(columns.magneticField.count)
    func belief() -> Belief {
      let bias = filter.state.biasEstimation
      return Belief(
        bias: bias.bias, covariance: bias.covariance, isResting: filter.state.isResting,
        isFieldDisturbed: filter.state.isFieldDisturbed, isFieldKnown: filter.state.field.reference != nil)
    }
    var cursors = (
      gyroscope: Cursor(columns.gyroscope, isReversed), accelerometer: Cursor(columns.accelerometer, isReversed),
      field: Cursor(columns.magneticField, isReversed)
    )
    var isFirst = true
    while true {
      let times = (cursors.gyroscope.time, cursors.accelerometer.time, cursors.field.time)
      let time = min(times.0, min(times.1, times.2))
      guard time < .infinity else { break }
      if times.0 == time {
        if !isFirst { pass.beliefs.append(belief()) }
        isFirst = false
        let rate = cursors.gyroscope.next()
        filter.update(gyroscope: isReversed ? -rate : rate, at: time)
      } else if times.1 == time {
        filter.update(accelerometer: cursors.accelerometer.next(), at: time)
      } else {
        filter.update(magneticField: cursors.field.next(), at: time)
        pass.fieldIsDisturbed.append(filter.state.isFieldDisturbed)
      }
    }
    pass.beliefs.append(belief())
    if isReversed {
      pass.beliefs.reverse()
      pass.fieldIsDisturbed.reverse()
    }
    return pass
  }

  /// A column read from one end; backward the times are negated, so that they rise.
  private struct Cursor {
    let column: MotionColumns.Column
    let isReversed: Bool
    private(set) var index: Int

    init(_ column: MotionColumns.Column, _ isReversed: Bool) {
      self.column = column
      self.isReversed = isReversed
      index = isReversed ? column.count - 1 : 0
    }

    /// Infinite at the end.
    var time: Double {
      guard column.times.indices.contains(index) else { return .infinity }
      return isReversed ? -column.times[index] : column.times[index]
    }

    mutating func next() -> Vector3 {
      defer { index += isReversed ? -1 : 1 }
      return column.values[index]
    }
  }

  // MARK: Attitude

  mutating func integrate() {
    let column = columns.gyroscope
    var attitude = Quaternion.identity
    var hold = SampleHold()
    inertialFromDevice.reserveCapacity(column.count)
    for segment in segments {
      for index in segment.gyroscope {
        let rate = column.values[index]
        if index == segment.gyroscope.lowerBound {
          hold.restart(at: rate)
        } else {
          let dt = column.times[index] - column.times[index - 1]
          let mean = hold.mean(rate, over: dt) - result.gyroscopeBiases[index]
          attitude = (attitude * Quaternion(smallRotation: mean * dt)).renormalized
        }
        inertialFromDevice.append(attitude)
      }
    }
  }

  /// Low-passes the force in the inertial frame both ways and levels the attitude with it.
  mutating func level() {
    let design = LowPassDesign(
      timeConstant: parameters.accelerationTimeConstant, interval: intervals.accelerometer.value)
    let accelerometer = columns.accelerometer
    var leveling = Leveling()
    levelFromDevice.reserveCapacity(columns.gyroscope.count)
    for segment in segments {
      var latest = LatestIndex(columns.gyroscope.times, segment.gyroscope)
      var forces = segment.accelerometer.map { index in
        inertialFromDevice[latest.index(at: accelerometer.times[index])].rotate(-accelerometer.values[index])
      }
      var lowPass = MeanStartLowPass<Vector3>()
      for index in forces.indices { forces[index] = lowPass.update(forces[index], design) }
      if let last = forces.last { lowPass.settle(at: last, design) }
      for index in forces.indices.reversed() { forces[index] = lowPass.update(forces[index], design) }

      var next = 0
      for index in segment.gyroscope {
        // Before the first force of a segment that force counts.
        let time = columns.gyroscope.times[index]
        while next < forces.count,
          next == 0 || accelerometer.times[segment.accelerometer.lowerBound + next] <= time
        {
          leveling.add(forces[next])
          next += 1
        }
        levelFromDevice.append((leveling.levelFromInertial * inertialFromDevice[index]).renormalized)
      }
    }
  }

  /// Low-passes the heading both ways and ties X to north, or to where it was at the start.
  mutating func correctHeading() {
    let gains = HeadingCorrection.Gains(
      timeConstant: parameters.magneticTimeConstant, interval: intervals.field.value)
    let limits = VQF.FieldJudgement.Limits(parameters, interval: intervals.field.value)
    let rejects = parameters.disturbanceRejection >= 0.5
    let field = columns.magneticField
    let startAngle = levelFromDevice.first.map { -EulerAngles($0).yaw } ?? 0
    var offset: Double?
    var angle = startAngle
    for segment in segments {
      var latest = LatestIndex(columns.gyroscope.times, segment.gyroscope)
      var angles = segment.field.map { index in
        let level = levelFromDevice[latest.index(at: field.times[index])].rotate(field.values[index])
        return -level.azimuth
      }
      func filter(_ order: some Sequence<Int>) {
        var correction = HeadingCorrection()
        var rejection = VQF.FieldRejection()
        for index in order {
          let isDisturbed = fieldIsDisturbed[segment.field.lowerBound + index]
          let trust = rejects ? rejection.trust(isDisturbed: isDisturbed, limits) : 1
          correction.correct(azimuth: -angles[index], gains, trust: trust)
          angles[index] = correction.northAngle
        }
      }
      filter(angles.indices)
      filter(angles.indices.reversed())

      if offset == nil, let first = angles.first {
        offset = parameters.headingReference == .magneticNorth ? 0 : startAngle - first
      }
      var next = 0
      for index in segment.gyroscope {
        let time = columns.gyroscope.times[index]
        while next < angles.count, next == 0 || field.times[segment.field.lowerBound + next] <= time {
          angle = angles[next] + (offset ?? 0)
          next += 1
        }
        result.attitudes.append(levelFromDevice[index].turnedAboutZ(angle))
      }
    }
  }

  /// Divides a recording where the gyroscope was silent for too long.
  private static func segments(_ columns: MotionColumns, gapThreshold: Double) -> [Segment] {
    let times = columns.gyroscope.times
    var starts = [0]
    for index in times.indices.dropFirst() where times[index] - times[index - 1] > gapThreshold {
      starts.append(index)
    }
    /// Where the samples of the segment that begins at this time begin; what is before all belongs to the first.
    func bounds(_ column: MotionColumns.Column) -> [Int] {
      var index = 0
      var bounds = [0]
      for start in starts.dropFirst() {
        while index < column.count, column.times[index] < times[start] { index += 1 }
        bounds.append(index)
      }
      return bounds + [column.count]
    }
    let (accelerometer, field) = (bounds(columns.accelerometer), bounds(columns.magneticField))
    let ends = starts.dropFirst() + [times.count]
    return zip(starts, ends).enumerated().map { number, range in
      Segment(
        gyroscope: range.0..<range.1, accelerometer: accelerometer[number]..<accelerometer[number + 1],
        field: field[number]..<field[number + 1])
    }
  }
}

/// The latest sample of a stretch at rising times; before its first, that one.
private struct LatestIndex {
  let times: [Double]
  let range: Range<Int>
  private var current: Int

  init(_ times: [Double], _ range: Range<Int>) {
    self.times = times
    self.range = range
    current = range.lowerBound
  }

  mutating func index(at time: Double) -> Int {
    while current + 1 < range.upperBound, times[current + 1] <= time { current += 1 }
    return current
  }
}

/// The middle of the intervals between stamps, seconds, from at most some thousands of them; 0 for fewer than two stamps.
private func medianInterval(_ times: [Double]) -> Double {
  guard times.count > 1 else { return 0 }
  let step = max(1, times.count / 4096)
  let intervals = stride(from: 1, to: times.count, by: step).map { times[$0] - times[$0 - 1] }.sorted()
  return SampleInterval.withoutRounding(intervals[intervals.count / 2])
}
