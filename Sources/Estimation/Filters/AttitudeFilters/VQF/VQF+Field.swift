internal import InertialNumerics

extension VQF {
  /// The comparison of the field with the learned one, by norm and dip, and the duration of its rejection.
  ///
  /// Laidig and Seel 2023, Algorithm 3.
  struct MagneticDisturbanceDetector: Sendable, Codable, Equatable {
    /// The properties of a field that do not depend on a heading error.
    struct Shape: LinearSignal {
      /// The strength, in µT.
      var norm: Double
      /// The dip, in radians below the horizontal.
      var dip: Double

      /// Creates the shape of a field in level axes.
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

    /// Whether the field differs from the learned one; `true` before a field was learned.
    var isDisturbed = true
    /// The learned field, or `nil` before the first.
    var reference: Shape?
    /// The duration for which the field has been near the reference, in seconds.
    var undisturbedTime = 0.0
    var rejection: FieldRejection
    var candidate: Shape?
    /// The duration of motion for which the field has been near the candidate, in seconds.
    var candidateTime = 0.0
    var lowPass = MeanStartLowPass<Shape>()

    init(_ parameters: Parameters) {
      // The first field, which has no reference, is used with a low weight.
      rejection = FieldRejection(time: parameters.rejectionTime)
    }

    /// Updates the comparison with a field in level axes.
    ///
    /// - Parameter rate: The low-passed rate, in rad/s.
    mutating func update(_ field: Vector3, rate: Vector3, _ c: Limits) {
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

    /// Accepts a field as the new reference if it stays the same for some time while the device rotates.
    private mutating func considerCandidate(_ now: Shape, rate: Vector3, _ c: Limits) {
      guard let old = candidate, now.isNear(old, c) else {
        candidateTime = 0
        candidate = now
        return
      }
      if rate.squaredNorm >= c.squaredNewFieldRate { candidateTime += c.interval }
      let new = old + (now - old) * c.referenceGain
      candidate = new
      guard isDisturbed, candidateTime >= c.newFieldTime || (reference == nil && candidateTime >= c.firstFieldTime)
      else { return }
      reference = new
      isDisturbed = false
      undisturbedTime = c.undisturbedTime
    }

    /// Returns the present factor of the heading's gain for the field.
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
      /// The smallest squared rate that counts as a rotation, in (rad/s)².
      let squaredNewFieldRate: Double
      let undisturbedTime: Double
      let rejectionTime: Double
      let rejectionFactor: Double

      init(_ p: Parameters, interval: Double) {
        lowPass = LowPassDesign(timeConstant: p.fieldTimeConstant, interval: interval)
        self.interval = interval
        normTolerance = p.fieldNormTolerance
        dipTolerance = p.fieldDipTolerance
        referenceGain = ExponentialLowPass.gain(after: interval, timeConstant: p.fieldReferenceTimeConstant)
        newFieldTime = p.newFieldTime
        firstFieldTime = p.firstFieldTime
        squaredNewFieldRate = p.newFieldRate * p.newFieldRate
        undisturbedTime = p.undisturbedTime
        rejectionTime = p.rejectionTime
        rejectionFactor = p.rejectionFactor
      }
    }
  }

  /// The weight of a field: 0 while it is disturbed, and a part of the full weight after a long disturbance.
  struct FieldRejection: Sendable, Codable, Equatable {
    /// The duration of disturbance minus that of the undisturbed field, which counts more, in seconds.
    var time = 0.0

    /// Returns the factor of the heading's gain: 1 for an undisturbed field.
    mutating func trust(isDisturbed: Bool, _ c: MagneticDisturbanceDetector.Limits) -> Double {
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
