import CoreMotionCompatibility
import Testing

@Suite struct ValueTests {
  @Test("an attitude's angles, matrix and gravity match Apple's logs")
  func deviceLogs() {
    // A row of an iPhone's log.
    let phone = CMAttitude(
      quaternion: CMQuaternion(
        x: 0.4838151227024397, y: 0.04355626154402893, z: 0.06494984821958465, w: 0.8716692886429774))
    #expect(abs(phone.yaw - 0.1349823786804867) < 1e-15 && abs(phone.roll - 0.02477636033810466) < 1e-15)
    #expect(abs(phone.pitch - 1.014300952474275) < 1e-15)
    let m = phone.rotationMatrix
    // Gravity is the product of the matrix and (0, 0, −1), to single precision.
    #expect(abs(-m.m13 - 0.0130858737975359) < 1e-7 && abs(-m.m23 + 0.8491114974021912) < 1e-7)
    #expect(abs(-m.m33 + 0.5280515551567078) < 1e-7)
  }

  @Test("an attitude is the same from its quaternion, its matrix and its angles")
  func constructors() {
    let a = CMAttitude(roll: 0.3, pitch: -0.7, yaw: 2)
    for b in [CMAttitude(quaternion: a.quaternion), CMAttitude(rotationMatrix: a.rotationMatrix)] {
      #expect(abs(b.roll - 0.3) < 1e-14 && abs(b.pitch + 0.7) < 1e-14 && abs(b.yaw - 2) < 1e-14)
    }
    #expect(CMAttitude().quaternion.w == 1)
  }

  @Test("multiplying by the inverse makes only this attitude relative")
  func relative() throws {
    let (a, b) = (CMAttitude(roll: 0.3, pitch: -0.7, yaw: 2), CMAttitude(roll: -1, pitch: 0.2, yaw: 0.5))
    let copy = try #require(a.copy() as? CMAttitude)
    #expect(copy !== a && copy == a)
    copy.multiply(byInverseOf: b)
    #expect(copy != a && abs(a.yaw - 2) < 1e-14)
    // M_a M_bᵀ, "a times the inverse of b".
    let expected = RotationMatrix(a).matrix * RotationMatrix(b).matrix.transpose
    #expect((RotationMatrix(copy).matrix - expected).maximum < 1e-14)
    a.multiply(byInverseOf: a)
    #expect(abs(a.roll) < 1e-15 && abs(a.pitch) < 1e-15 && abs(a.yaw) < 1e-15 && !a.isEqual("an attitude"))
  }

  @Test("errors, frames, accuracies and authorisations have Apple's numbers")
  func numbers() {
    let errors = [
      CMErrorNULL, CMErrorDeviceRequiresMovement, CMErrorTrueNorthNotAvailable, CMErrorUnknown,
      CMErrorMotionActivityNotAvailable, CMErrorMotionActivityNotAuthorized, CMErrorMotionActivityNotEntitled,
      CMErrorInvalidParameter, CMErrorInvalidAction, CMErrorNotAvailable, CMErrorNotEntitled, CMErrorNotAuthorized,
      CMErrorNilData, CMErrorSize,
    ]
    #expect(errors.map(\.rawValue) == Array(100...113))
    #expect(CMErrorDomain == "CMErrorDomain" && CMError(101) == CMErrorDeviceRequiresMovement)
    #expect([CMMagneticFieldCalibrationAccuracy.uncalibrated, .low, .medium, .high].map(\.rawValue) == [-1, 0, 1, 2])
    #expect([CMAuthorizationStatus.notDetermined, .restricted, .denied, .authorized].map(\.rawValue) == [0, 1, 2, 3])
    #expect([CMDeviceMotion.SensorLocation.default, .headphoneLeft, .headphoneRight].map(\.rawValue) == [0, 1, 2])
  }

  @Test("all items are unchanged after coding and decoding")
  func coding() throws {
    let motion = DeviceMotion(
      time: 12.5, attitude: Attitude(eulerAngles: EulerAngles(roll: 0.1, pitch: 0.2, yaw: 0.3)),
      gravity: Vector3(0, 0.6, -0.8), userAcceleration: Vector3(1, 2, 3), rotationRate: Vector3(4, 5, 6),
      magneticField: Vector3(7, 8, 9), magneticFieldAccuracy: .medium, heading: 123,
      attitudeSigma: Vector3(0, 0, .pi / 180))
    let first = CMDeviceMotion(motion, sensorLocation: .headphoneRight)
    let second = try coded(first)
    #expect(largestDifference(second, motion) == 0 && second.attitude == first.attitude)
    #expect(second.sensorLocation == .headphoneRight && second.magneticField.accuracy == .medium)
    #expect(abs(second.headingAccuracy - 1) < 1e-12)
    let acceleration = try coded(
      CMRecordedAccelerometerData(
        acceleration: CMAcceleration(x: 1, y: 2, z: 3), timestamp: 4, identifier: .max,
        startDate: Date(timeIntervalSince1970: 5)))
    #expect(acceleration.acceleration.z == 3 && acceleration.timestamp == 4 && acceleration.identifier == .max)
    #expect(acceleration.startDate == Date(timeIntervalSince1970: 5))
    let rate = CMRotationRate(x: 1, y: 2, z: 3)
    #expect(try coded(CMGyroData(rotationRate: rate, timestamp: 1)).rotationRate.y == 2)
    #expect(
      try coded(CMRecordedRotationRateData(rotationRate: rate, timestamp: 1, startDate: Date(timeIntervalSince1970: 9)))
        .startDate.timeIntervalSince1970 == 9)
    #expect(
      try coded(CMMagnetometerData(magneticField: CMMagneticField(x: 1, y: 2, z: 3), timestamp: 1)).magneticField.x == 1
    )
  }

  @Test(
    "a copied motion has its own attitude; missing values are NaN or uncalibrated, and the heading without north is −1")
  func copies() throws {
    let motion = CMDeviceMotion(
      DeviceMotion(
        time: 1, attitude: .identity, gravity: Vector3(0, 0, -1), userAcceleration: nil, rotationRate: .zero,
        magneticField: nil, magneticFieldAccuracy: .high, heading: -1, attitudeSigma: Vector3(1, 1, 1)))
    #expect(motion.userAcceleration.x.isNaN && motion.magneticField.accuracy == .uncalibrated)
    #expect(motion.headingAccuracy == -1)
    let copy = try #require(motion.copy() as? CMDeviceMotion)
    copy.attitude.multiply(byInverseOf: CMAttitude(roll: 1, pitch: 0, yaw: 0))
    #expect(motion.attitude.quaternion.w == 1 && copy.attitude.quaternion.w != 1)
  }
}

extension RotationMatrix { init(_ attitude: CMAttitude) { self = attitude.attitude.rotationMatrix } }

extension Matrix3 { fileprivate var maximum: Double { [m11, m12, m13, m21, m22, m23, m31, m32, m33].map(abs).max()! } }
