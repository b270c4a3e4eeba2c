public import LinearAlgebra
public import Rotations

/// Gradient descent on the attitude's error, fused with the gyroscope, with compensation of the gyroscope's drift.
///
/// S. Madgwick, "An efficient orientation filter for inertial and inertial/magnetic sensor arrays", report, 2010. The
/// equations are those of the report; its earth frame (Z up, X along the horizontal field) is ours. Each step goes
/// against the gradient by β dt, whatever the gradient's length: the attitude follows at a steady rate and then
/// dithers about the minimum by β dt.
public struct Madgwick: SteppedAlgorithm {
  public static let name = "madgwick"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .gyroscopeBias]

  public let parameters: Parameters
  private let coefficients: Coefficients

  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    coefficients = Coefficients(parameters)
  }

  @inline(__always)
  public func advance(_ state: inout State, by step: MotionStep) {
    let attitude = state.earthFromDevice
    let gradient = gradient(at: attitude, step)
    let length = gradient?.norm ?? 0
    guard let gradient, length > 0, length.isFinite else {
      let rate = step.rate - state.gyroscopeBias
      state.earthFromDevice = attitude.turned(at: rate, for: step.duration, coefficients.order)
      return
    }
    // What is made of the direction, eq. (44), is made of the gradient while its length is still being computed.
    let unit = 1 / length
    // Eq. (47) to (49): the error as a rate in device axes, and its integral.
    let rateError = (attitude.conjugate * gradient).vector
    state.gyroscopeBias += (2 * coefficients.zeta * step.duration * unit) * rateError
    // Eq. (42) to (44).
    let rate = step.rate - state.gyroscopeBias
    let descent = coefficients.beta * step.duration * unit
    let turned = attitude.turnedUnnormalized(at: rate, for: step.duration, coefficients.order)
    let next = Quaternion(
      x: turned.x - descent * gradient.x, y: turned.y - descent * gradient.y, z: turned.z - descent * gradient.z,
      w: turned.w - descent * gradient.w)
    state.earthFromDevice = next.normalizedNearOne ?? attitude
  }

  /// The gradient of all that was measured, eq. (34); nil where there is none.
  @inline(__always)
  private func gradient(at attitude: Quaternion, _ step: MotionStep) -> Quaternion? {
    guard let acceleration = step.acceleration?.normalized else { return nil }
    let gravity = Objective(north: 0, up: 1, measured: -acceleration).gradient(at: attitude)
    guard let field = step.magneticField?.normalized else { return gravity }
    // Eq. (45) and (46): the field in the earth frame, its azimuth turned to north.
    let inEarth = attitude.matrix * field
    let north = (inEarth.x * inEarth.x + inEarth.y * inEarth.y).squareRoot()
    let magnetic = Objective(north: north, up: inEarth.z, measured: field).gradient(at: attitude)
    return Quaternion(
      x: gravity.x + magnetic.x, y: gravity.y + magnetic.y, z: gravity.z + magnetic.z, w: gravity.w + magnetic.w)
  }

  /// How far a direction as predicted from the attitude is from the direction as measured.
  struct Objective {
    /// The direction in the earth frame: b_x and b_z of eq. (29); gravity's is 0 and 1, eq. (25).
    var north: Double
    var up: Double
    /// In device axes, of length 1.
    var measured: Vector3

    /// Eq. (29): predicted − measured, device axes.
    @inline(__always)
    func error(at q: Quaternion) -> Vector3 {
      let (a, b) = (2 * north, 2 * up)
      return Vector3(
        a * (0.5 - q.y * q.y - q.z * q.z) + b * (q.x * q.z - q.w * q.y) - measured.x,
        a * (q.x * q.y - q.w * q.z) + b * (q.w * q.x + q.y * q.z) - measured.y,
        a * (q.w * q.y + q.x * q.z) + b * (0.5 - q.x * q.x - q.y * q.y) - measured.z)
    }

    /// Jᵀ f with the Jacobian of eq. (30), which is half the gradient of |f|²; by components, not a rotation.
    @inline(__always)
    func gradient(at q: Quaternion) -> Quaternion {
      let f = error(at: q)
      let (a, b) = (2 * north, 2 * up)
      return Quaternion(
        x: b * q.z * f.x + (a * q.y + b * q.w) * f.y + (a * q.z - 2 * b * q.x) * f.z,
        y: (a * q.x + b * q.z) * f.y - (2 * a * q.y + b * q.w) * f.x + (a * q.w - 2 * b * q.y) * f.z,
        z: (b * q.x - 2 * a * q.z) * f.x + (b * q.y - a * q.w) * f.y + a * q.x * f.z,
        w: (b * q.x - a * q.z) * f.y - b * q.y * f.x + a * q.y * f.z)
    }
  }
}

extension Madgwick {
  public struct State: SteppedState {
    public internal(set) var earthFromDevice: Quaternion
    /// rad/s, device axes.
    public internal(set) var gyroscopeBias = Vector3.zero

    public init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    public mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }

  struct Coefficients: Sendable {
    let beta: Double
    let zeta: Double
    let order: IntegrationOrder

    init(_ parameters: Parameters) {
      beta = parameters.beta
      zeta = parameters.zeta
      order = IntegrationOrder(parameters.integrationOrder)
    }
  }
}
