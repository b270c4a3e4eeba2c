public import LinearAlgebra
public import Rotations
public import Sensors

extension MEKF {
  public struct State: Sendable, Codable, Equatable {
    public var earthFromDevice: Quaternion { strapdown.earthFromDevice }
    /// rad/s, device axes.
    public internal(set) var gyroscopeBias = Vector3.zero
    /// 6 by 6: attitude error about the earth's X, Y, Z (rad²), then gyroscope bias in device axes (rad²/s²).
    public internal(set) var covariance: Matrix
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
    var epoch = Epoch()
    /// Where the running epoch ends, seconds; nil before the first.
    var epochEnd: Double?
    var motion = ForceVariation()
    var magnetic = FieldMemory()
    var startUp = StartUp()
    var rest = RestDetector()
    var heldForce = SampleHold()

    /// Whether a sample at `time` ends the running epoch.
    ///
    /// Epochs end on a grid of times, so that a lost sample does not shift all later ones.
    mutating func epochIsOver(at time: Double, length: Double) -> Bool {
      // Half a microsecond of slack: stamps are rounded, and an epoch must not wait a sample for that.
      guard let end = epochEnd, time < end - 5e-7 else {
        let next = (epochEnd ?? time) + length
        // After a gap, or where samples are rarer than epochs, the grid starts anew.
        defer { epochEnd = next > time ? next : time + length }
        return epochEnd != nil || length <= epoch.duration
      }
      return false
    }

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

/// The sums of one epoch, in earth axes.
struct Epoch: Sendable, Codable, Equatable {
  private(set) var duration = 0.0
  /// ∫ R dt, R device to earth.
  private(set) var rotationIntegral = Matrix3.zero
  /// ∫ |ω|² dt, rad²/s.
  private(set) var squaredRateIntegral = 0.0
  private var rateIntegral = Vector3.zero
  private var forceSum = Vector3.zero
  /// Seconds that the force stands for.
  private var forceDuration = 0.0
  private var fieldSum = Vector3.zero
  private var fieldCount = 0

  mutating func add(rate: Vector3, squaredRate: Double, attitude: Quaternion, dt: Double) {
    duration += dt
    rateIntegral += dt * rate
    squaredRateIntegral += dt * squaredRate
    rotationIntegral = rotationIntegral + attitude.matrix * dt
  }

  mutating func add(force: Vector3, dt: Double) {
    forceSum += dt * force
    forceDuration += dt
  }

  mutating func add(field: Vector3) {
    fieldSum += field
    fieldCount += 1
  }

  mutating func forgetForce() {
    forceSum = .zero
    forceDuration = 0
  }

  var meanForce: Vector3? { forceDuration > 0 ? forceSum / forceDuration : nil }
  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }
  var meanRate: Vector3? { duration > 0 ? rateIntegral / duration : nil }
}
