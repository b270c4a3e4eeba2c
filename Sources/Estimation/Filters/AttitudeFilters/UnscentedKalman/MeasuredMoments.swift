internal import InertialNumerics

/// The moments of a measurement with up to three components over sigma points: equation (19).
struct MeasuredMoments {
  /// The mean deviation δ̄ of the predictions from the estimate's.
  private(set) var mean = Vector3.zero
  /// The innovation covariance S.
  private(set) var covariance: Matrix3
  /// The covariances of the measurement with the attitude and bias errors, one row per component.
  private var attitude = Matrix3.zero
  private var bias = Matrix3.zero

  /// Creates the moments of the sensor's noise alone.
  init(variance: Double) { covariance = Matrix3(diagonal: Vector3(repeating: variance)) }

  /// Adds a pair of points with their deviations.
  mutating func add(_ pair: (turn: Vector3, bias: Vector3), _ plus: Vector3, _ minus: Vector3, weight: Double) {
    mean += weight * (plus + minus)
    covariance.add(Matrix3(outer: plus, plus), scaledBy: weight)
    covariance.add(Matrix3(outer: minus, minus), scaledBy: weight)
    let difference = weight * (plus - minus)
    attitude.add(Matrix3(outer: difference, pair.turn), scaledBy: 1)
    bias.add(Matrix3(outer: difference, pair.bias), scaledBy: 1)
  }

  /// Adds the point at the mean.
  mutating func addMean(weight: Double) { covariance.add(Matrix3(outer: mean, mean), scaledBy: weight) }

  /// Calls a function with each component's covariance with the errors, innovation and variance, given the previous
  /// components: equation (20), the elimination S = L D Lᵀ.
  func decorrelate(_ innovation: Vector3, count: Int, _ body: (ErrorValues, Double, Double) -> Void) {
    var (z, s, attitude, bias) = (innovation, covariance, attitude, bias)
    for component in 0..<count {
      var c = ErrorValues()
      c[EpochErrors.attitude] = attitude.row(component)
      c[EpochErrors.bias] = bias.row(component)
      let pivot = s[component, component]
      body(c, z[component], pivot)
      // l for the next components, and 0 for the others.
      let column = s.column(component) / pivot
      let l = Vector3(0, component < 1 ? column.y : 0, component < 2 ? column.z : 0)
      z -= z[component] * l
      s.add(Matrix3(outer: l, s.row(component)), scaledBy: -1)
      attitude.add(Matrix3(outer: l, attitude.row(component)), scaledBy: -1)
      bias.add(Matrix3(outer: l, bias.row(component)), scaledBy: -1)
    }
  }
}
