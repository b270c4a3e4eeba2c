public import LinearAlgebra
public import Rotations
package import Sensors

/// VQF's basic form: inclination and heading correction, no bias, no rest, no magnetic disturbance rejection.
///
/// D. Laidig and T. Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic disturbance
/// rejection", Information Fusion 91 (2023), the basic filter. Rates, frames and order of samples as for `VQF`.
public struct BasicVQF: AttitudeFilter {
  public static let name = "basic-vqf"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .separatesHeading]

  public let parameters: Parameters
  public private(set) var state: State
  private var coefficients: Coefficients

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters))
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    self.state = state
    coefficients = Coefficients(parameters, state.intervals)
  }

  public mutating func update(gyroscope: Vector3, at time: Double) {
    switch state.gate.admit(gyroscope: gyroscope, at: time, gapThreshold: parameters.gapThreshold) {
    case .refused: return
    case .first:
      state.hold.restart(at: gyroscope)
      // With a known rate the first sample stands for the time before it as every other does.
      follow(gyroscope, over: state.intervals.gyroscope.value)
    case .gap:
      state.flags.insert(.gap)
      state.attitude.restart()
      state.hold.restart(at: gyroscope)
    case .regular(let dt): follow(state.hold.mean(gyroscope, over: dt), over: dt)
    }
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    switch state.gate.admit(accelerometer: accelerometer, at: time, gapThreshold: parameters.gapThreshold) {
    case .refused: return
    case .first, .gap: break
    case .regular(let dt):
      guard parameters.accelerometerRate <= 0, state.intervals.accelerometer.add(dt) else { break }
      let old = coefficients.force
      coefficients = Coefficients(parameters, state.intervals)
      state.attitude.retuneForce(from: old, to: coefficients.force)
    }
    _ = state.attitude.level(-accelerometer, coefficients.force)
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    let step = state.gate.admit(field: magneticField, at: time)
    guard step != .refused, state.attitude.isAligned else { return }
    if case .regular(let dt) = step, dt <= parameters.gapThreshold, parameters.magneticFieldRate <= 0,
      state.intervals.field.add(dt)
    {
      coefficients = Coefficients(parameters, state.intervals)
    }
    state.attitude.correctHeading(
      field: state.attitude.levelFromDevice.rotate(magneticField), coefficients.heading,
      parameters.headingReference)
  }

  public var estimate: AttitudeEstimate? {
    guard state.attitude.isAligned else { return nil }
    var flags = state.flags.union(state.gate.flags)
    if state.attitude.isStartingUp { flags.insert(.converging) }
    return AttitudeEstimate(earthFromDevice: state.attitude.earthFromDevice, gyroscopeBias: .zero, flags: flags)
  }

  private mutating func follow(_ rate: Vector3, over dt: Double) {
    guard state.attitude.integrate(rate, over: dt) else { return }
    state.attitude.finishStartUp()
    state.flags.remove(.gap)
  }
}

extension BasicVQF {
  /// The published defaults; one set serves every sample rate.
  public struct Parameters: FilterParameters {
    /// Time constant of the gravity low-pass, seconds (√2/(2πτ) Hz). Bigger trusts the gyroscope longer.
    public var accelerationTimeConstant = 3.0
    /// Time constant of the heading correction, seconds. Bigger trusts the gyroscope longer.
    public var magneticTimeConstant = 9.0
    /// Hz; 0 = from the stamps.
    public var gyroscopeRate = 0.0
    /// Hz; 0 = from the stamps.
    public var accelerometerRate = 0.0
    /// Hz; 0 = from the stamps.
    public var magneticFieldRate = 0.0
    /// Longest time between samples that is integrated over, seconds.
    public var gapThreshold = 0.5
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "accelerationTimeConstant", \.accelerationTimeConstant, unit: "s", range: 0.001...1000,
          "Time constant of the gravity low-pass; bigger trusts the gyroscope longer."),
        .init(
          "magneticTimeConstant", \.magneticTimeConstant, unit: "s", range: 0.001...10000,
          "Time constant of the heading correction; bigger trusts the gyroscope longer."),
        .init(
          "gyroscopeRate", \.gyroscopeRate, unit: "Hz", range: 0...1e5,
          "Rate of the gyroscope; 0 learns it from the stamps."),
        .init(
          "accelerometerRate", \.accelerometerRate, unit: "Hz", range: 0...1e5,
          "Rate of the accelerometer; 0 learns it from the stamps."),
        .init(
          "magneticFieldRate", \.magneticFieldRate, unit: "Hz", range: 0...1e5,
          "Rate of the magnetometer; 0 learns it from the stamps."),
        .init(
          "gapThreshold", \.gapThreshold, unit: "s", range: 0.001...60,
          "Longest time between samples that is integrated over."),
      ]
    }

    /// Published name of `accelerationTimeConstant`, seconds.
    package var tauAcc: Double {
      get { accelerationTimeConstant }
      set { accelerationTimeConstant = newValue }
    }
    /// Published name of `magneticTimeConstant`, seconds.
    package var tauMag: Double {
      get { magneticTimeConstant }
      set { magneticTimeConstant = newValue }
    }

    /// The published names.
    public static var classicalNames: [ParameterDescription<Self>] {
      [
        .init(
          "tauAcc", \.tauAcc, unit: "s", range: 0.001...1000,
          "accelerationTimeConstant by its published name."),
        .init(
          "tauMag", \.tauMag, unit: "s", range: 0.001...10000, "magneticTimeConstant by its published name."),
      ]
    }
  }

  public struct State: Sendable, Codable, Equatable {
    /// The attitude: turns vectors of the device into the earth frame.
    package var earthFromDevice: Quaternion { attitude.earthFromDevice }
    /// The 6-axis attitude: device to a frame with Z up whose azimuth follows the gyroscope alone.
    ///
    /// At the start its azimuth is that of the smallest rotation that levels the device.
    public var levelFromDevice: Quaternion { attitude.levelFromDevice }
    package internal(set) var flags: AttitudeFlags = []
    var gate = SampleGate()
    var hold = SampleHold()
    var intervals: VQFIntervals
    var attitude = FactoredAttitude()

    init(_ parameters: Parameters) {
      intervals = VQFIntervals(
        gyroscope: SampleInterval(rate: parameters.gyroscopeRate),
        accelerometer: SampleInterval(rate: parameters.accelerometerRate),
        field: SampleInterval(rate: parameters.magneticFieldRate))
    }
  }

  /// What the parameters mean at the sensors' rates; made anew only where a rate changes.
  struct Coefficients: Sendable {
    let force: LowPassDesign
    let heading: HeadingCorrection.Gains

    init(_ p: Parameters, _ intervals: VQFIntervals) {
      force = LowPassDesign(timeConstant: p.accelerationTimeConstant, interval: intervals.accelerometer.value)
      heading = HeadingCorrection.Gains(
        timeConstant: p.magneticTimeConstant, interval: intervals.field.value)
    }
  }
}
