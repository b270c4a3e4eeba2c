internal import LinearAlgebra

/// `VQF.FieldJudgement` in lanes, once its low-pass runs.
struct LaneFieldJudgement: Sendable {
  private typealias Mask = Lanes.Mask

  private var isDisturbed = Lanes.Mask(repeating: true)
  private var hasReference = Lanes.Mask(repeating: false)
  private var (reference, candidate) = (Shape(), Shape())
  private var (undisturbedTime, candidateTime, rejectionTime) = (Lanes.none, Lanes.none, Lanes.none)
  private var (normLowPass, dipLowPass) = (LaneLowPass(), LaneLowPass())

  /// Norm, µT, and dip, radians.
  struct Shape: Sendable {
    var (norm, dip) = (Lanes(repeating: 1), Lanes.none)

    subscript(lane: Int) -> VQF.FieldJudgement.Shape {
      get { VQF.FieldJudgement.Shape(norm: norm[lane], dip: dip[lane]) }
      set { (norm[lane], dip[lane]) = (newValue.norm, newValue.dip) }
    }

    @inline(__always)
    func isNear(_ other: Self, _ limits: Limits) -> Lanes.Mask {
      ((norm - other.norm).magnitude .< limits.normTolerance * other.norm)
        .& ((dip - other.dip).magnitude .< limits.dipTolerance)
    }

    /// On the way to another one.
    @inline(__always)
    func moved(to other: Self, by share: Lanes) -> Self {
      var moved = self
      moved.norm = norm + (other.norm - norm) * share
      moved.dip = dip + (other.dip - dip) * share
      return moved
    }

    @inline(__always)
    mutating func set(_ other: Self, where mask: Lanes.Mask) {
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
  var isFlagged: Lanes.Mask { isDisturbed .& hasReference }

  /// Takes a field in level axes.
  ///
  /// - Parameter squaredRate: the low-passed rate's squared norm, (rad/s)².
  @inline(__always)
  mutating func update(
    _ field: LaneVector3<Lanes>, squaredRate: Lanes, _ c: Limits, where isUsed: Lanes.Mask
  ) {
    let squaredLevel = field.x * field.x + field.y * field.y
    var now = Shape()
    now.norm = normLowPass.update((squaredLevel + field.z * field.z).root, c.lowPass, where: isUsed)
    now.dip = dipLowPass.update(.arcTangent(-field.z, squaredLevel.root), c.lowPass, where: isUsed)
    compare(now, c, where: isUsed)
    considerCandidate(now, squaredRate: squaredRate, c, where: isUsed)
  }

  @inline(__always)
  private mutating func compare(_ now: Shape, _ c: Limits, where isUsed: Lanes.Mask) {
    let isNear = hasReference .& now.isNear(reference, c)
    undisturbedTime.set(.select(isNear, undisturbedTime + c.interval, .none), where: isUsed)
    let isGood = isNear .& (c.undisturbedTime .<= undisturbedTime)
    isDisturbed.set(.!isNear .| (isDisturbed .& .!isGood), where: isUsed)
    reference.set(reference.moved(to: now, by: c.referenceGain), where: isUsed .& isGood)
  }

  /// A field that stays the same while the device turns is the new normal after some time.
  @inline(__always)
  private mutating func considerCandidate(
    _ now: Shape, squaredRate: Lanes, _ c: Limits, where isUsed: Lanes.Mask
  ) {
    let isSame = now.isNear(candidate, c)
    let isMoving = c.squaredNewFieldRate .<= squaredRate
    let time = Lanes.select(isMoving, candidateTime + c.interval, candidateTime)
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
  mutating func trust(_ c: Limits, where isUsed: Lanes.Mask) -> Lanes {
    let isOut = rejectionTime .<= c.rejectionTime
    let shorter = Lanes.greater(rejectionTime - c.rejectionFactor * c.interval, .none)
    let longer = Lanes.select(isOut, rejectionTime + c.interval, rejectionTime)
    rejectionTime.set(.select(isDisturbed, longer, shorter), where: isUsed)
    let share = Lanes.select(isOut, .none, Lanes(repeating: 1) / c.rejectionFactor)
    return .select(isDisturbed .& isUsed, share, Lanes(repeating: 1))
  }

  /// `VQF.FieldJudgement.Limits` in lanes.
  struct Limits: Sendable {
    private(set) var lowPass = LaneLowPassDesign()
    private(set) var (interval, referenceGain) = (Lanes.none, Lanes.none)
    private(set) var (normTolerance, dipTolerance) = (Lanes.none, Lanes.none)
    private(set) var (newFieldTime, firstFieldTime, undisturbedTime) = (Lanes.none, Lanes.none, Lanes.none)
    private(set) var squaredNewFieldRate = Lanes.none
    private(set) var (rejectionTime, rejectionFactor) = (Lanes.none, Lanes(repeating: 1))

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
