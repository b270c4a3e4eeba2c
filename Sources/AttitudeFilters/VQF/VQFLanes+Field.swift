internal import LinearAlgebra

/// `VQF.FieldJudgement` in lanes, once its low-pass runs.
struct LaneFieldJudgement<Scalar: LaneScalar>: Sendable {
  private typealias Mask = Scalar.Mask

  private var isDisturbed = Scalar.Mask(repeating: true)
  private var hasReference = Scalar.Mask(repeating: false)
  private var (reference, candidate) = (Shape(), Shape())
  private var (undisturbedTime, candidateTime, rejectionTime) = (Scalar.none, Scalar.none, Scalar.none)
  private var (normLowPass, dipLowPass) = (LaneLowPass<Scalar>(), LaneLowPass<Scalar>())

  /// Norm, µT, and dip, radians.
  struct Shape: Sendable {
    var (norm, dip) = (Scalar(repeating: 1), Scalar.none)

    subscript(lane: Int) -> VQF.FieldJudgement.Shape {
      get { VQF.FieldJudgement.Shape(norm: norm[lane], dip: dip[lane]) }
      set { (norm[lane], dip[lane]) = (newValue.norm, newValue.dip) }
    }

    @inline(__always)
    func isNear(_ other: Self, _ limits: Limits) -> Scalar.Mask {
      ((norm - other.norm).magnitude .< limits.normTolerance * other.norm)
        .& ((dip - other.dip).magnitude .< limits.dipTolerance)
    }

    /// On the way to another one.
    @inline(__always)
    func moved(to other: Self, by share: Scalar) -> Self {
      var moved = self
      moved.norm = norm + (other.norm - norm) * share
      moved.dip = dip + (other.dip - dip) * share
      return moved
    }

    @inline(__always)
    mutating func set(_ other: Self, where mask: Scalar.Mask) {
      norm.set(other.norm, where: mask)
      dip.set(other.dip, where: mask)
    }
  }

  mutating func load(_ field: VQF.FieldJudgement, lane: Int) {
    isDisturbed[lane] = field.isDisturbed
    hasReference[lane] = field.reference != nil
    if let known = field.reference { reference[lane] = known }
    if let known = field.candidate { candidate[lane] = known }
    (undisturbedTime[lane], candidateTime[lane]) = (field.undisturbedTime, field.candidateTime)
    rejectionTime[lane] = field.rejection.time
    normLowPass[lane] = (field.lowPass.first.norm, field.lowPass.second.norm)
    dipLowPass[lane] = (field.lowPass.first.dip, field.lowPass.second.dip)
  }

  /// A judgement that no field was taken for is left as it is.
  func store(lane: Int, to field: inout VQF.FieldJudgement) {
    guard field.lowPass.isRunning else { return }
    field.isDisturbed = isDisturbed[lane]
    field.reference = hasReference[lane] ? reference[lane] : nil
    field.candidate = candidate[lane]
    (field.undisturbedTime, field.candidateTime) = (undisturbedTime[lane], candidateTime[lane])
    field.rejection.time = rejectionTime[lane]
    field.lowPass.first = VQF.FieldJudgement.Shape(norm: normLowPass[lane].first, dip: dipLowPass[lane].first)
    field.lowPass.second = VQF.FieldJudgement.Shape(norm: normLowPass[lane].second, dip: dipLowPass[lane].second)
  }

  /// Where the field differs from a learned one.
  @inline(__always)
  var isFlagged: Scalar.Mask { isDisturbed .& hasReference }

  /// Takes a field in level axes.
  ///
  /// - Parameter squaredRate: the low-passed rate's squared norm, (rad/s)².
  @inline(__always)
  mutating func update(
    _ field: LaneVector3<Scalar>, squaredRate: Scalar, _ c: Limits, where isUsed: Scalar.Mask
  ) {
    let squaredLevel = field.x * field.x + field.y * field.y
    var now = Shape()
    now.norm = normLowPass.update((squaredLevel + field.z * field.z).root, c.lowPass, where: isUsed)
    now.dip = dipLowPass.update(.arcTangent(-field.z, squaredLevel.root), c.lowPass, where: isUsed)
    compare(now, c, where: isUsed)
    considerCandidate(now, squaredRate: squaredRate, c, where: isUsed)
  }

  @inline(__always)
  private mutating func compare(_ now: Shape, _ c: Limits, where isUsed: Scalar.Mask) {
    let isNear = hasReference .& now.isNear(reference, c)
    undisturbedTime.set(.select(isNear, undisturbedTime + c.interval, .none), where: isUsed)
    let isGood = isNear .& (c.undisturbedTime .<= undisturbedTime)
    isDisturbed.set(.!isNear .| (isDisturbed .& .!isGood), where: isUsed)
    reference.set(reference.moved(to: now, by: c.referenceGain), where: isUsed .& isGood)
  }

  /// A field that stays the same while the device turns is the new normal after some time.
  @inline(__always)
  private mutating func considerCandidate(
    _ now: Shape, squaredRate: Scalar, _ c: Limits, where isUsed: Scalar.Mask
  ) {
    let isSame = now.isNear(candidate, c)
    let isMoving = c.squaredNewFieldRate .<= squaredRate
    let time = Scalar.select(isMoving, candidateTime + c.interval, candidateTime)
    candidateTime.set(.select(isSame, time, .none), where: isUsed)
    var next = now
    next.set(candidate.moved(to: now, by: c.referenceGain), where: isSame)
    candidate.set(next, where: isUsed)
    let isLong = (c.newFieldTime .<= candidateTime) .| (.!hasReference .& (c.firstFieldTime .<= candidateTime))
    let isNew = isUsed .& isSame .& isDisturbed .& isLong
    guard isNew.isAny else { return }
    reference.set(candidate, where: isNew)
    hasReference = hasReference .| isNew
    isDisturbed = isDisturbed .& .!isNew
    undisturbedTime.set(c.undisturbedTime, where: isNew)
  }

  /// The factor of the heading's gain that the field deserves now.
  @inline(__always)
  mutating func trust(_ c: Limits, where isUsed: Scalar.Mask) -> Scalar {
    let isOut = rejectionTime .<= c.rejectionTime
    let shorter = Scalar.greater(rejectionTime - c.rejectionFactor * c.interval, .none)
    let longer = Scalar.select(isOut, rejectionTime + c.interval, rejectionTime)
    rejectionTime.set(.select(isDisturbed, longer, shorter), where: isUsed)
    let share = Scalar.select(isOut, .none, Scalar(repeating: 1) / c.rejectionFactor)
    return .select(isDisturbed .& isUsed, share, Scalar(repeating: 1))
  }

  /// `VQF.FieldJudgement.Limits` in lanes.
  struct Limits: Sendable {
    private(set) var lowPass = LaneLowPassDesign<Scalar>()
    private(set) var (interval, referenceGain) = (Scalar.none, Scalar.none)
    private(set) var (normTolerance, dipTolerance) = (Scalar.none, Scalar.none)
    private(set) var (newFieldTime, firstFieldTime, undisturbedTime) = (Scalar.none, Scalar.none, Scalar.none)
    private(set) var squaredNewFieldRate = Scalar.none
    private(set) var (rejectionTime, rejectionFactor) = (Scalar.none, Scalar(repeating: 1))

    mutating func load(_ limits: VQF.FieldJudgement.Limits, lane: Int) {
      lowPass.load(limits.lowPass, lane: lane)
      (interval[lane], referenceGain[lane]) = (limits.interval, limits.referenceGain)
      (normTolerance[lane], dipTolerance[lane]) = (limits.normTolerance, limits.dipTolerance)
      (newFieldTime[lane], firstFieldTime[lane]) = (limits.newFieldTime, limits.firstFieldTime)
      undisturbedTime[lane] = limits.undisturbedTime
      squaredNewFieldRate[lane] = limits.newFieldRate * limits.newFieldRate
      (rejectionTime[lane], rejectionFactor[lane]) = (limits.rejectionTime, limits.rejectionFactor)
    }
  }
}
