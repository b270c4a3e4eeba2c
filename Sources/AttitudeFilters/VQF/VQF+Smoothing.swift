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
    smoothed(admitted: columns.admitted(), parameters: parameters)
  }

  /// The same of samples that a filter would use.
  static func smoothed(admitted columns: MotionColumns, parameters: Parameters) -> SmoothedAttitudes {
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
///
/// A row for each sample of the gyroscope is large in a long recording: nothing is kept that a later step does not need, and
/// each step puts its attitudes in the place of those before.
private struct VQFSmoother {
  let columns: MotionColumns
  let parameters: VQF.Parameters
  let intervals: VQFIntervals
  /// Its attitudes are first the gyroscope's integral, then the 6-axis attitude, then the one with its heading.
  var result = SmoothedAttitudes()
  /// Whether the field is disturbed at each of its samples.
  var fieldIsDisturbed: [Bool] = []
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
    let count = columns.gyroscope.count
    var forward: [Belief] = []
    forward.reserveCapacity(count)
    let disturbedForward = pass(isReversed: false) { forward.append($0) }
    let initial = parameters.initialBiasSigma
    var known = SmoothedAttitudes()
    known.times = columns.gyroscope.times
    known.isResting = Array(repeating: false, count: count)
    known.isFieldDisturbed = known.isResting
    known.isFieldKnown = known.isResting
    known.gyroscopeBiases = Array(repeating: .zero, count: count)
    known.gyroscopeBiasSigmas = Array(repeating: 0, count: count)
    var index = count
    let disturbedBackward = pass(isReversed: true) { b in
      index -= 1
      let a = forward[index]
      known.isResting[index] = a.isResting || b.isResting
      known.isFieldDisturbed[index] = a.isFieldDisturbed && b.isFieldDisturbed
      known.isFieldKnown[index] = a.isFieldKnown || b.isFieldKnown
      // Backward in time every rate is the other way round, and so is the bias.
      if let p = a.covariance.inverse, let q = b.covariance.inverse, let covariance = (p + q).inverse {
        known.gyroscopeBiases[index] = covariance * (p * a.bias - q * b.bias)
        known.gyroscopeBiasSigmas[index] = min(covariance.largestRowSum.squareRoot(), initial)
      } else {
        known.gyroscopeBiases[index] = a.bias
        known.gyroscopeBiasSigmas[index] = min(a.covariance.largestRowSum.squareRoot(), initial)
      }
    }
    result = known
    fieldIsDisturbed = zip(disturbedForward, disturbedBackward.reversed()).map { $0 && $1 }
  }

  /// What the filter knows when it has taken all up to the next sample of the gyroscope.
  private struct Belief {
    var bias: Vector3
    var covariance: SymmetricMatrix3
    var isResting: Bool
    var isFieldDisturbed: Bool
    var isFieldKnown: Bool
  }

  /// Runs the filter one way.
  ///
  /// - Parameter take: called with the belief of each sample of the gyroscope, backward from the last.
  /// - Returns: whether the field is disturbed at each of its samples, backward from the last.
  private func pass(isReversed: Bool, take: (Belief) -> Void) -> [Bool] {
    var filter = VQF(parameters: parameters, state: VQF.State(parameters, intervals: intervals))
    var fieldIsDisturbed: [Bool] = []
    fieldIsDisturbed.reserveCapacity(columns.magneticField.count)
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
        if !isFirst { take(belief()) }
        isFirst = false
        let rate = cursors.gyroscope.next()
        filter.update(gyroscope: isReversed ? -rate : rate, at: time)
      } else if times.1 == time {
        filter.update(accelerometer: cursors.accelerometer.next(), at: time)
      } else {
        filter.update(magneticField: cursors.field.next(), at: time)
        fieldIsDisturbed.append(filter.state.isFieldDisturbed)
      }
    }
    take(belief())
    return fieldIsDisturbed
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
    result.attitudes.reserveCapacity(column.count)
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
        result.attitudes.append(attitude)
      }
    }
  }

  /// Low-passes the force in the inertial frame both ways and levels the attitude with it.
  mutating func level() {
    let design = LowPassDesign(
      timeConstant: parameters.accelerationTimeConstant, interval: intervals.accelerometer.value)
    let accelerometer = columns.accelerometer
    var leveling = Leveling()
    for segment in segments {
      var latest = LatestIndex(columns.gyroscope.times, segment.gyroscope)
      var forces = segment.accelerometer.map { index in
        result.attitudes[latest.index(at: accelerometer.times[index])].rotate(-accelerometer.values[index])
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
        result.attitudes[index] = (leveling.levelFromInertial * result.attitudes[index]).renormalized
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
    let startAngle = result.attitudes.first.map { -EulerAngles($0).yaw } ?? 0
    var offset: Double?
    var angle = startAngle
    for segment in segments {
      var latest = LatestIndex(columns.gyroscope.times, segment.gyroscope)
      var angles = segment.field.map { index in
        let level = result.attitudes[latest.index(at: field.times[index])].rotate(field.values[index])
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
        result.attitudes[index] = result.attitudes[index].turnedAboutZ(angle)
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
