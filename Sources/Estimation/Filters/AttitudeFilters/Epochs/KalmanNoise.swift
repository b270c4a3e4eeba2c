/// Noise in physical units, as densities that are valid for every sample rate, common to all Kalman filters that work
/// in epochs. `descriptions` contains the meaning, unit and range of each number.
package struct KalmanNoise: ParameterGroup {
  package var gyroscopeNoise = 0.0015
  package var gyroscopeScaleNoise = 0.0015
  package var biasNoise = 0.00005
  /// Raw phones: 0.03 and more; calibrated: 0.01.
  package var initialBiasSigma = 0.03
  package var accelerationNoise = 0.004
  package var motionWeight = 0.06
  package var accelerationMemory = 2.0
  package var accelerationGate = 100.0
  package var magneticNoise = 1.0
  package var disturbanceWeight = 0.5
  package var disturbanceGate = 1.0
  package var disturbanceMemory = 0.5
  package var fieldMemory = 30.0
  package var fieldStrength = 0.0
  package var fieldDip = 1.15
  /// A value of 0 gives the better tilt near magnets: on BROAD's 16 trials, total and inclination errors are 1.78° and
  /// 1.00° with 1, 1.88° and 0.92° with 0.
  package var fieldMovesTilt = 1.0
  package var restNoise = 0.0005
  package var initialTiltSigma = 0.01
  package var startUpTiltFactor = 0.05
  package var initialHeadingSigma = 0.15
  package var epochDuration = 0.05
  package var gapRate = 0.5

  package init() {}

  init(fieldMovesTilt: Double) { self.fieldMovesTilt = fieldMovesTilt }

  package static let descriptions: [ParameterDescription<Self>] = gyroscope + accelerometer + field + handling

  private static let gyroscope: [ParameterDescription<Self>] = [
    .init(
      "gyroscopeNoise", \.gyroscopeNoise, "rad/√s", 1e-9...10,
      "Gyroscope angle random walk; bigger trusts gravity and field more."
    ).published("sigmaV"),
    .init(
      "gyroscopeScaleNoise", \.gyroscopeScaleNoise, "1/√s", 0...10,
      "Further angle random walk per rad/s of rotation, for scale and alignment errors."),
    .init(
      "biasNoise", \.biasNoise, "rad/s/√s", 0...1,
      "Random walk of the gyroscope bias; bigger follows a drifting bias faster."
    ).published("sigmaU"),
    .init(
      "initialBiasSigma", \.initialBiasSigma, "rad/s", 1e-9...10,
      "Standard deviation of the gyroscope bias at the start; 0.01 for a calibrated gyroscope."),
    .init(
      "restNoise", \.restNoise, "rad/√s", 1e-9...10,
      "Noise of the bias measured at rest; bigger learns it more slowly."),
  ]

  private static let accelerometer: [ParameterDescription<Self>] = [
    .init(
      "accelerationNoise", \.accelerationNoise, "g√s", 1e-9...100,
      "Accelerometer as a plumb line at rest; bigger trusts the gyroscope longer."),
    .init(
      "motionWeight", \.motionWeight, "√s", 0...1000,
      "Further noise per g of acceleration variation; bigger trusts gravity less in motion."),
    .init("accelerationMemory", \.accelerationMemory, "s", 0.01...1000, "Memory of the acceleration variation."),
    .init(
      "accelerationGate", \.accelerationGate, "g", 0.001...1000,
      "Samples whose norm differs more from 1 g are left out; bigger uses more of them."
    ).published("epsilonA"),
  ]

  private static let field: [ParameterDescription<Self>] = [
    .init(
      "magneticNoise", \.magneticNoise, "µT√s", 1e-9...1e6,
      "Magnetometer noise; bigger trusts the gyroscope longer."),
    .init(
      "disturbanceWeight", \.disturbanceWeight, "√s", 0...1e6,
      "Further magnetic noise per µT of difference between the field and the learned one."),
    .init(
      "disturbanceGate", \.disturbanceGate, "µT", 0...1000,
      "Deviation of the field from the learned one that is still normal."
    ).published("epsilonM"),
    .init("disturbanceMemory", \.disturbanceMemory, "s", 0.001...1000, "Memory of a magnetic deviation."),
    .init(
      "fieldMemory", \.fieldMemory, "s", 0.1...1e6,
      "Time constant with which strength and dip of the field are learned."),
    .init(
      "fieldStrength", \.fieldStrength, "µT", 0...1000,
      "Strength of the earth's field if known; 0 learns strength and dip."),
    .init(
      "fieldDip", \.fieldDip, "rad", -1.6...1.6,
      "Dip of the earth's field, positive downwards; used if the strength is given."),
    .init(
      "fieldMovesTilt", \.fieldMovesTilt, "1", 0...1,
      "1 corrects everything by the field, as published; 0 never the tilt."),
  ]

  private static let handling: [ParameterDescription<Self>] = [
    .init(
      "initialTiltSigma", \.initialTiltSigma, "rad", 1e-6...4,
      "Standard deviation of the tilt after a start at rest."),
    .init(
      "startUpTiltFactor", \.startUpTiltFactor, "rad/g", 0...10,
      "Tilt standard deviation after a start in motion, per g of spread in the start-up."),
    .init(
      "initialHeadingSigma", \.initialHeadingSigma, "rad", 1e-6...4,
      "Standard deviation of the heading when the field is first used."),
    .init(
      "epochDuration", \.epochDuration, "s", 0.0001...1,
      "Time between the filter's steps; the sample period if that is longer."),
    .init("gapRate", \.gapRate, "rad/s", 0...100, "Assumed rotation rate of the device during a gap."),
  ]
}
