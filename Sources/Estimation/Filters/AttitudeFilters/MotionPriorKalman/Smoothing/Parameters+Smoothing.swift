extension MotionPriorKalman.Parameters {
  /// The parameters of the offline form. Later measurements correct earlier estimates, so the field may correct
  /// everything but is trusted less, and noise outside the model is attributed to the inertial sensors.
  public static var smoothing: Self {
    var parameters = Self()
    parameters.gyroscopeNoise = 1.3e-3
    parameters.gyroscopeScaleNoise = 2e-4
    parameters.biasNoise = 1.5e-4
    parameters.verticalGain = 0.5
    parameters.scaleSigma = 0.0025
    parameters.accelerationNoise = 0.006
    parameters.accelerationBiasSigma = 4e-4
    parameters.accelerationBiasGain = 1
    parameters.velocityNoise = 0.065
    parameters.motionWeight = 2.2
    parameters.motionMemory = 4.2
    parameters.motionMemoryGrowth = 0.2
    parameters.magneticNoise = 1.7
    parameters.disturbanceWeight = 2.5
    parameters.dipWeight = 0.85
    parameters.disturbanceMemory = 0.28
    parameters.innovationWeight = 0.5
    parameters.fieldSigma = 0.9
    parameters.fieldNoise = 0.0064
    parameters.fieldDelaySigma = 0.022
    parameters.fieldTiltGain = 1
    parameters.fieldBiasGain = 1
    parameters.fieldScaleGain = 1
    parameters.startUpTiltFactor = 0.3
    parameters.initialHeadingSigma = 0.52
    return parameters
  }
}
