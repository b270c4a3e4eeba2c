internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The steps of the offline form, with the results of each step for the next.
///
/// A recording may be long: intermediate results are stored on disk, and each step reads them in one direction.
struct VQFSmoother: Sendable {
  let recording: VQFRecording
  let parameters: VQF.Parameters
  private let memory: Int
  private let intervals: VQFIntervals
  private let segments: [VQFRecording.Segment]
  /// The combined estimates, from the last sample of the gyroscope to the first.
  private var knowledge: SpilledArray<ForwardBackwardEstimate>
  /// Whether the field is disturbed at each of its samples, from the last to the first.
  private var fieldIsDisturbed: SpilledArray<Bool>
  /// The integral of the gyroscope, and the attitudes that the forces level.
  private var inertial: SpilledArray<Quaternion>
  private var attitudes: SpilledArray<Quaternion>
  /// The low-passed forces, from the last to the first.
  private var forces: SpilledArray<Vector3>
  /// The low-passed angles to north, from the last to the first.
  private var angles: SpilledArray<Double>
  /// The rotation about Z for an initial yaw of 0, in radians.
  private var startAngle = 0.0
  /// The angle from magnetic north to the requested X, in radians, or `nil` without a field.
  private var offset: Double?

  /// The combined estimate of both runs of the filter at a sample of the gyroscope.
  struct ForwardBackwardEstimate: BitwiseCopyable, Sendable {
    var bias: Vector3
    /// The upper bound of the bias's standard deviation about any axis, in rad/s.
    var biasSigma: Double
    var isResting: Bool
    var isFieldDisturbed: Bool
    var isFieldKnown: Bool
  }

  /// - Parameter memory: The bytes of buffered data that stay in memory, for each kind.
  init(_ recording: VQFRecording, _ parameters: VQF.Parameters, memory: Int) throws(SpillError) {
    self.recording = recording
    self.parameters = parameters
    self.memory = memory
    func interval(_ rate: Double, _ column: PendingSamples) throws(SpillError) -> SampleInterval {
      SampleInterval(rate > 0 ? 1 / rate : try column.medianInterval())
    }
    intervals = VQFIntervals(
      gyroscope: try interval(parameters.gyroscopeRate, recording.gyroscope),
      accelerometer: try interval(parameters.accelerometerRate, recording.accelerometer),
      field: try interval(parameters.magneticFieldRate, recording.magneticField))
    segments = try recording.segments(gapThreshold: parameters.gapThreshold)
    knowledge = SpilledArray(memory: memory)
    fieldIsDisturbed = SpilledArray(memory: memory)
    forces = SpilledArray(memory: memory)
    inertial = SpilledArray(memory: memory)
    attitudes = SpilledArray(memory: memory)
    angles = SpilledArray(memory: memory)
    guard count > 0 else { return }
    try learn()
    try level()
    try correctHeading()
  }

  /// The number of attitudes.
  var count: Int { recording.accelerometer.count > 0 ? recording.gyroscope.count : 0 }

  // MARK: Bias, rest and disturbances

  /// The filter's estimate after all samples up to the next sample of the gyroscope.
  private struct FilterState: BitwiseCopyable, Sendable {
    var bias: Vector3
    var covariance: SymmetricMatrix3
    var isResting: Bool
    var isFieldDisturbed: Bool
    var isFieldKnown: Bool
  }

  /// Runs the filter in both directions. The bias is the mean of both, weighted by their information; rest or an
  /// undisturbed field holds if either run detects it.
  private mutating func learn() throws(SpillError) {
    var states = SpilledArray<FilterState>(memory: memory)
    var judged = SpilledArray<Bool>(memory: memory)
    try pass(isReversed: false, take: { states.append($0) }, takeField: { judged.append($0) })
    // A closure copies a variable array for each element that it reads.
    let (forward, disturbedForward) = (states, judged)
    let initial = parameters.initialBiasSigma
    var knowledge = SpilledArray<ForwardBackwardEstimate>(memory: memory)
    var fieldIsDisturbed = SpilledArray<Bool>(memory: memory)
    var beliefs = SpilledArray<FilterState>.Reader()
    var judgements = SpilledArray<Bool>.Reader()
    try pass(
      isReversed: true,
      take: { (b) throws(SpillError) in
        let a = try beliefs.at(forward.count - 1 - knowledge.count, of: forward)
        var known = ForwardBackwardEstimate(
          bias: a.bias, biasSigma: 0, isResting: a.isResting || b.isResting,
          isFieldDisturbed: a.isFieldDisturbed && b.isFieldDisturbed, isFieldKnown: a.isFieldKnown || b.isFieldKnown)
        // Backward in time, every rate is inverted, and so is the bias.
        if let p = a.covariance.inverse, let q = b.covariance.inverse, let covariance = (p + q).inverse {
          known.bias = covariance * (p * a.bias - q * b.bias)
          known.biasSigma = min(covariance.largestRowSum.squareRoot(), initial)
        } else {
          known.biasSigma = min(a.covariance.largestRowSum.squareRoot(), initial)
        }
        knowledge.append(known)
      },
      takeField: { (isDisturbed) throws(SpillError) in
        let before = try judgements.at(disturbedForward.count - 1 - fieldIsDisturbed.count, of: disturbedForward)
        fieldIsDisturbed.append(before && isDisturbed)
      })
    self.knowledge = knowledge
    self.fieldIsDisturbed = fieldIsDisturbed
  }

  /// Runs the filter in one direction.
  ///
  /// - Parameters:
  ///   - take: Receives the estimate at each sample of the gyroscope, backward from the last.
  ///   - takeField: Receives whether the field is disturbed at each of its samples, backward from the last.
  private func pass(
    isReversed: Bool, take: (FilterState) throws(SpillError) -> Void, takeField: (Bool) throws(SpillError) -> Void
  ) throws(SpillError) {
    var filter = VQF(withoutHeading: parameters, intervals: intervals)
    func belief() -> FilterState {
      let bias = filter.state.biasEstimation
      return FilterState(
        bias: bias.bias, covariance: bias.covariance, isResting: filter.state.isResting,
        isFieldDisturbed: filter.state.isFieldDisturbed, isFieldKnown: filter.state.field.reference != nil)
    }
    var rates = try Pending(recording.gyroscope, isReversed)
    var forces = try Pending(recording.accelerometer, isReversed)
    var fields = try Pending(recording.magneticField, isReversed)
    var isFirst = true
    while true {
      let time = min(rates.time, min(forces.time, fields.time))
      guard time < .infinity else { break }
      if rates.time == time {
        if !isFirst { try take(belief()) }
        isFirst = false
        let rate = try rates.next()
        filter.update(gyroscope: isReversed ? -rate : rate, at: time)
      } else if forces.time == time {
        filter.update(accelerometer: try forces.next(), at: time)
      } else {
        filter.update(magneticField: try fields.next(), at: time)
        try takeField(filter.state.isFieldDisturbed)
      }
    }
    try take(belief())
  }

  /// A column read from one end. Backward, the times are negated, so that they rise.
  private struct Pending {
    private var cursor: PendingSamples.Cursor
    private let count: Int
    private let isReversed: Bool
    private var index: Int
    private var value = Vector3.zero
    /// The time of the next sample; infinite at the end.
    private(set) var time = Double.infinity

    init(_ column: PendingSamples, _ isReversed: Bool) throws(SpillError) {
      cursor = PendingSamples.Cursor(column)
      count = column.count
      self.isReversed = isReversed
      index = isReversed ? count - 1 : 0
      try look()
    }

    private mutating func look() throws(SpillError) {
      guard (0..<count).contains(index) else {
        time = .infinity
        return
      }
      let sample = try cursor.sample(index)
      (time, value) = (isReversed ? -sample.time : sample.time, sample.value)
    }

    mutating func next() throws(SpillError) -> Vector3 {
      let taken = value
      index += isReversed ? -1 : 1
      try look()
      return taken
    }
  }

  // MARK: Attitude

  /// Integrates the gyroscope without its bias, and low-passes the force in this inertial frame in both directions.
  private mutating func level() throws(SpillError) {
    let design = LowPassDesign(
      timeConstant: parameters.accelerationTimeConstant, interval: intervals.accelerometer.value)
    var forward = SpilledArray<Vector3>(memory: memory)
    var rates = PendingSamples.Cursor(recording.gyroscope)
    var biases = SpilledArray<ForwardBackwardEstimate>.Reader()
    var samples = PendingSamples.Cursor(recording.accelerometer)
    var hold = SampleHold()
    var (attitude, time) = (Quaternion.identity, 0.0)
    for segment in segments {
      var lowPass = MeanStartLowPass<Vector3>()
      var next = segment.accelerometer.lowerBound
      // A force is rotated by the latest attitude; before a segment's first attitude, by the first.
      func take(before end: Double, with attitude: Quaternion) throws(SpillError) {
        while next < segment.accelerometer.upperBound {
          let sample = try samples.sample(next)
          guard sample.time < end else { break }
          forward.append(lowPass.update(attitude.rotate(-sample.value), design))
          next += 1
        }
      }
      for index in segment.gyroscope {
        let rate = try rates.sample(index)
        if index == segment.gyroscope.lowerBound {
          hold.restart(at: rate.value)
        } else {
          let dt = rate.time - time
          let bias = try biases.at(knowledge.count - 1 - index, of: knowledge).bias
          let before = attitude
          attitude = (attitude * Quaternion(rotationVector: (hold.mean(rate.value, over: dt) - bias) * dt)).renormalized
          try take(before: rate.time, with: before)
        }
        time = rate.time
        inertial.append(attitude)
      }
      try take(before: .infinity, with: attitude)
    }
    var reader = SpilledArray<Vector3>.Reader()
    for segment in segments.reversed() {
      var lowPass = MeanStartLowPass<Vector3>()
      for index in segment.accelerometer.reversed() {
        let force = try reader.at(index, of: forward)
        if index == segment.accelerometer.upperBound - 1 { lowPass.settle(at: force, design) }
        forces.append(lowPass.update(force, design))
      }
    }
  }

  // MARK: Heading

  /// Levels the attitudes by the forces, low-passes the heading in both directions, and aligns X to north, or to its
  /// initial direction.
  private mutating func correctHeading() throws(SpillError) {
    let gains = HeadingCorrection.Gains(
      timeConstant: parameters.magneticTimeConstant, interval: intervals.field.value)
    let limits = VQF.MagneticDisturbanceDetector.Limits(parameters, interval: intervals.field.value)
    let rejects = parameters.disturbanceRejection >= 0.5
    var judgements = SpilledArray<Bool>.Reader()
    var correction = HeadingCorrection()
    var rejection = VQF.FieldRejection()
    func corrected(_ angle: Double, _ index: Int) throws(SpillError) -> Double {
      let isDisturbed = try judgements.at(fieldIsDisturbed.count - 1 - index, of: fieldIsDisturbed)
      let trust = rejects ? rejection.trust(isDisturbed: isDisturbed, limits) : 1
      correction.correct(azimuth: -angle, gains, trust: trust)
      return correction.northAngle
    }

    var forward = SpilledArray<Double>(memory: memory)
    var gyroscope = PendingSamples.Cursor(recording.gyroscope)
    var forceTimes = PendingSamples.Cursor(recording.accelerometer)
    var (turns, ups) = (SpilledArray<Quaternion>.Reader(), SpilledArray<Vector3>.Reader())
    var samples = PendingSamples.Cursor(recording.magneticField)
    var leveling = Leveling()
    var attitude = Quaternion.identity
    for segment in segments {
      (correction, rejection) = (HeadingCorrection(), VQF.FieldRejection())
      var (nextForce, next) = (segment.accelerometer.lowerBound, segment.field.lowerBound)
      func take(before end: Double, with attitude: Quaternion) throws(SpillError) {
        while next < segment.field.upperBound {
          let sample = try samples.sample(next)
          guard sample.time < end else { break }
          forward.append(try corrected(-attitude.rotate(sample.value).azimuth, next))
          next += 1
        }
      }
      for index in segment.gyroscope {
        let time = try gyroscope.time(index)
        let before = attitude
        // Before the first force of a segment, the first force is used.
        while nextForce < segment.accelerometer.upperBound {
          if nextForce > segment.accelerometer.lowerBound, try forceTimes.time(nextForce) > time { break }
          leveling.add(try ups.at(forces.count - 1 - nextForce, of: forces))
          nextForce += 1
        }
        attitude = (leveling.levelFromInertial * (try turns.at(index, of: inertial))).renormalized
        attitudes.append(attitude)
        if index == 0 { startAngle = -EulerAngles(attitude).yaw }
        if index > segment.gyroscope.lowerBound { try take(before: time, with: before) }
      }
      try take(before: .infinity, with: attitude)
    }
    (inertial, forces) = (SpilledArray(memory: memory), SpilledArray(memory: memory))
    var reader = SpilledArray<Double>.Reader()
    var backward = SpilledArray<Double>(memory: memory)
    for segment in segments.reversed() {
      (correction, rejection) = (HeadingCorrection(), VQF.FieldRejection())
      for index in segment.field.reversed() {
        let angle = try corrected(try reader.at(index, of: forward), index)
        backward.append(angle)
        // The offset of the first segment with a field is kept.
        if index == segment.field.lowerBound {
          offset = parameters.headingReference == .magneticNorth ? 0 : startAngle - angle
        }
      }
    }
    angles = backward
  }

  // MARK: Result

  /// One row of the result.
  struct Row: Sendable {
    var time: Double
    var attitude: Quaternion
    var known: ForwardBackwardEstimate
  }

  /// Computes the rows, one after the other.
  struct Rows: Sendable {
    private let smoother: VQFSmoother
    private var gyroscope: PendingSamples.Cursor
    private var fields: PendingSamples.Cursor
    private var attitudes = SpilledArray<Quaternion>.Reader()
    private var knowledge = SpilledArray<ForwardBackwardEstimate>.Reader()
    private var angles = SpilledArray<Double>.Reader()
    private var index = 0
    private var segment = 0
    private var nextField = 0
    private var angle: Double

    init(_ smoother: VQFSmoother) {
      self.smoother = smoother
      gyroscope = PendingSamples.Cursor(smoother.recording.gyroscope)
      fields = PendingSamples.Cursor(smoother.recording.magneticField)
      angle = smoother.startAngle
    }

    mutating func next() throws(SpillError) -> Row? {
      guard index < smoother.count else { return nil }
      if index == smoother.segments[segment].gyroscope.upperBound { segment += 1 }
      let position = smoother.segments[segment]
      let time = try gyroscope.time(index)
      if index == position.gyroscope.lowerBound { nextField = position.field.lowerBound }
      while nextField < position.field.upperBound {
        if nextField > position.field.lowerBound, try fields.time(nextField) > time { break }
        angle = try angles.at(smoother.angles.count - 1 - nextField, of: smoother.angles) + (smoother.offset ?? 0)
        nextField += 1
      }
      defer { index += 1 }
      return Row(
        time: time, attitude: try attitudes.at(index, of: smoother.attitudes).turnedAboutZ(angle),
        known: try knowledge.at(smoother.knowledge.count - 1 - index, of: smoother.knowledge))
    }
  }
}
