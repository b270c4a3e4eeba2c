public import LinearAlgebra
public import Rotations
public import Sensors

extension MEKF {
  public struct State: Sendable, Codable, Equatable, CovarianceReporting {
    public var earthFromDevice: Quaternion { strapdown.earthFromDevice }
    /// rad/s, device axes.
    public internal(set) var gyroscopeBias = Vector3.zero
    /// 6 by 6: attitude error about the earth's X, Y, Z (rad²), then gyroscope bias in device axes (rad²/s²).
    public internal(set) var covariance: Matrix
    public var attitudeCovariance: Matrix3 { Matrix3(block: covariance, from: 0) }
    public var biasCovariance: Matrix3 { Matrix3(block: covariance, from: 3) }
    public internal(set) var flags: AttitudeFlags = []
    var gate = SampleGate()
    var strapdown = Strapdown()
    var isAligned = false
    /// Seconds since the start or the last gap; counted to the end of the start-up.
    var age = 0.0
    /// The field's azimuth in the earth frame that counts as no error; nil until a field was used.
    var fieldAzimuth: Double?
    /// Whether `fieldAzimuth` is final, not that of a start-up that goes on.
    var isHeadingTied = false
    var epoch = EpochSums()
    /// ∫ R dt over the epoch, R device to earth.
    var rotationIntegral = Matrix3.zero
    var epochClock = EpochClock()
    var motion = ForceVariation()
    var magnetic = FieldMemory()
    var startUp = StartUp()
    var rest = RestDetector()
    var heldForce = SampleHold()

    init(_ parameters: Parameters) {
      let tilt = Double.pi / 2
      let heading = parameters.initialHeadingSigma
      let bias = parameters.initialBiasSigma
      covariance = Matrix(diagonal: [
        tilt * tilt, tilt * tilt, heading * heading, bias * bias, bias * bias, bias * bias,
      ])
    }
  }

  /// What the parameters mean in the filter's own units, worked out once.
  struct Coefficients: Sendable {
    /// The χ² of three degrees of freedom that 99.7 % of true biases stay below.
    static let restGate = 14.16

    let rest: RestDetector.Thresholds
    let gyroscopeVariance: Double
    let scaleVariance: Double
    let biasVariance: Double
    let accelerationVariance: Double
    let motionVariance: Double
    let restVariance: Double
    let headingVariance: Double
    let tiltVariance: Double

    init(_ p: Parameters) {
      rest = p.handling.rest
      gyroscopeVariance = p.gyroscopeNoise * p.gyroscopeNoise
      scaleVariance = p.gyroscopeScaleNoise * p.gyroscopeScaleNoise
      biasVariance = p.biasNoise * p.biasNoise
      accelerationVariance = p.accelerationNoise * p.accelerationNoise
      motionVariance = p.motionWeight * p.motionWeight
      restVariance = p.restNoise * p.restNoise
      headingVariance = p.initialHeadingSigma * p.initialHeadingSigma
      tiltVariance = p.initialTiltSigma * p.initialTiltSigma
    }
  }

  /// Matrices whose shape and constant elements stay, so that an epoch allocates nothing.
  struct Matrices: Sendable {
    var transition = Matrix.identity(6)
    var processNoise = Matrix(rowCount: 6, columnCount: 6)
    var gravityNoise = Matrix(rowCount: 2, columnCount: 2)
    var gravityInnovation = [0.0, 0.0]
    var restNoise = Matrix(rowCount: 3, columnCount: 3)
    var restInnovation = [0.0, 0.0, 0.0]
    // Predicted horizontal force −(θ × z) = (−θy, θx) is what is measured with its sign turned:
    // z − h(0) = −f with h = H θ, H = [0 1 0; −1 0 0].
    let gravityObservation = Matrix(rows: [[0, 1, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0]])
    let restObservation = Matrix(rows: [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])
    static let headingObservation: [Double] = [0, 0, 1, 0, 0, 0]
    static let headingMask = [false, false, true, true, true, true]
  }
}

extension Matrix3 {
  /// The 3 by 3 block of a matrix on its diagonal.
  fileprivate init(block matrix: Matrix, from start: Int) {
    func row(_ index: Int) -> Vector3 {
      Vector3(matrix[start + index, start], matrix[start + index, start + 1], matrix[start + index, start + 2])
    }
    self.init(rows: row(0), row(1), row(2))
  }
}
