internal import InertialNumerics

extension VQF {
  /// Whether the field is the one that was learned, by its norm and its dip; and how long to mistrust one that is not.
  ///
  /// Laidig and Seel 2023, Algorithm 3.
  struct FieldJudgement: Sendable, Codable, Equatable {
    /// What of a field no heading error changes.
    struct Shape: LinearSignal {
      /// µT.
      var norm: Double
      /// Radians below the horizon.
      var dip: Double

      /// The shape of a field in level axes.
      @inline(__always)
      init(_ field: Vector3) {
        let squaredLevel = field.x * field.x + field.y * field.y
        norm = (squaredLevel + field.z * field.z).squareRoot()
        dip = .arcTangent(-field.z, squaredLevel.squareRoot())
      }

      init(norm: Double, dip: Double) { (self.norm, self.dip) = (norm, dip) }

      static let zero = Shape(norm: 0, dip: 0)
      static func + (a: Self, b: Self) -> Self { Self(norm: a.norm + b.norm, dip: a.dip + b.dip) }
      static func - (a: Self, b: Self) -> Self { Self(norm: a.norm - b.norm, dip: a.dip - b.dip) }
      static func * (a: Self, s: Double) -> Self { Self(norm: a.norm * s, dip: a.dip * s) }

      func isNear(_ other: Shape, _ limits: Limits) -> Bool {
        abs(norm - other.norm) < limits.normTolerance * other.norm && abs(dip - other.dip) < limits.dipTolerance
      }
    }

    /// Whether the field differs from the learned one; true as long as none was learned.
    var isDisturbed = true
    /// The learned field; nil before the first.
    var reference: Shape?
    /// Seconds that the field has been like the reference.
    var undisturbedTime = 0.0
    var rejection: FieldRejection
    var candidate: Shape?
    /// Seconds of motion that the field has been like the candidate.
    var candidateTime = 0.0
    var lowPass = MeanStartLowPass<Shape>()

    init(_ parameters: Parameters) {
      // The field of the start, of which nothing is known, is mistrusted but used.
      rejection = FieldRejection(time: parameters.rejectionTime)
    }

    /// Takes a field in level axes.
    ///
    /// - Parameter rate: the low-passed rate's norm, rad/s.
    mutating func update(_ field: Vector3, rate: Double, _ c: Limits) {
      let now = lowPass.update(Shape(field), c.lowPass)
      compare(now, c)
      considerCandidate(now, rate: rate, c)
    }

    private mutating func compare(_ now: Shape, _ c: Limits) {
      guard let known = reference, now.isNear(known, c) else {
        undisturbedTime = 0
        isDisturbed = true
        return
      }
      undisturbedTime += c.interval
      guard undisturbedTime >= c.undisturbedTime else { return }
      isDisturbed = false
      reference = known + (now - known) * c.referenceGain
    }

    /// A field that stays the same while the device turns is the new normal after some time.
    private mutating func considerCandidate(_ now: Shape, rate: Double, _ c: Limits) {
      guard let old = candidate, now.isNear(old, c) else {
        candidateTime = 0
        candidate = now
        return
      }
      if rate >= c.newFieldRate { candidateTime += c.interval }
      let new = old + (now - old) * c.referenceGain
      candidate = new
      guard isDisturbed, candidateTime >= c.newFieldTime || (reference == nil && candidateTime >= c.firstFieldTime)
      else { return }
      reference = new
      isDisturbed = false
      undisturbedTime = c.undisturbedTime
    }

    /// The factor of the heading's gain that the field deserves now.
    mutating func trust(_ c: Limits) -> Double { rejection.trust(isDisturbed: isDisturbed, c) }

    mutating func retune(from old: LowPassDesign, to new: LowPassDesign) { lowPass.retune(from: old, to: new) }

    struct Limits: Sendable {
      let lowPass: LowPassDesign
      let interval: Double
      let normTolerance: Double
      let dipTolerance: Double
      let referenceGain: Double
      let newFieldTime: Double
      let firstFieldTime: Double
      let newFieldRate: Double
      let undisturbedTime: Double
      let rejectionTime: Double
      let rejectionFactor: Double

      init(_ p: Parameters, interval: Double) {
        lowPass = LowPassDesign(timeConstant: p.fieldTimeConstant, interval: interval)
        self.interval = interval
        normTolerance = p.fieldNormTolerance
        dipTolerance = p.fieldDipTolerance
        referenceGain = firstOrderGain(timeConstant: p.fieldReferenceTimeConstant, interval: interval)
        newFieldTime = p.newFieldTime
        firstFieldTime = p.firstFieldTime
        newFieldRate = p.newFieldRate
        undisturbedTime = p.undisturbedTime
        rejectionTime = p.rejectionTime
        rejectionFactor = p.rejectionFactor
      }
    }
  }

  /// A field's weight: 0 while it is disturbed, and a part of the full one once that has lasted.
  struct FieldRejection: Sendable, Codable, Equatable {
    /// Seconds of disturbance less those of good field, which count more.
    var time = 0.0

    /// The factor of the heading's gain: 1 for a good field.
    mutating func trust(isDisturbed: Bool, _ c: FieldJudgement.Limits) -> Double {
      guard isDisturbed else {
        time = max(time - c.rejectionFactor * c.interval, 0)
        return 1
      }
      guard time <= c.rejectionTime else { return 1 / c.rejectionFactor }
      time += c.interval
      return 0
    }
  }
}
