import CoreMotionCompatibility
import Testing

/// Every type and member that code for Core Motion may use; a missing one does not compile.
@Suite struct MemberListTests {
  @Test("values have Apple's members")
  func values() {
    let _: [AnyKeyPath] = [
      \CMLogItem.timestamp, \CMAcceleration.x, \CMAcceleration.y, \CMAcceleration.z, \CMRotationRate.x,
      \CMRotationRate.y, \CMRotationRate.z, \CMMagneticField.x, \CMMagneticField.y, \CMMagneticField.z,
      \CMQuaternion.x, \CMQuaternion.y, \CMQuaternion.z, \CMQuaternion.w, \CMRotationMatrix.m11,
      \CMRotationMatrix.m12, \CMRotationMatrix.m13, \CMRotationMatrix.m21, \CMRotationMatrix.m22,
      \CMRotationMatrix.m23, \CMRotationMatrix.m31, \CMRotationMatrix.m32, \CMRotationMatrix.m33,
      \CMCalibratedMagneticField.field, \CMCalibratedMagneticField.accuracy, \CMAccelerometerData.acceleration,
      \CMRecordedAccelerometerData.identifier, \CMRecordedAccelerometerData.startDate, \CMGyroData.rotationRate,
      \CMRotationRateData.rotationRate, \CMRecordedRotationRateData.startDate, \CMMagnetometerData.magneticField,
      \CMAttitude.roll, \CMAttitude.pitch, \CMAttitude.yaw, \CMAttitude.rotationMatrix, \CMAttitude.quaternion,
      \CMDeviceMotion.attitude, \CMDeviceMotion.rotationRate, \CMDeviceMotion.gravity,
      \CMDeviceMotion.userAcceleration, \CMDeviceMotion.magneticField, \CMDeviceMotion.heading,
      \CMDeviceMotion.sensorLocation, \CMDeviceMotion.headingAccuracy,
    ]
    let multiply: (CMAttitude) -> (CMAttitude) -> Void = CMAttitude.multiply(byInverseOf:)
    multiply(CMAttitude())(CMAttitude())
    let codable: [any (NSSecureCoding & NSCopying).Type] = [
      CMLogItem.self, CMAccelerometerData.self, CMRecordedAccelerometerData.self, CMGyroData.self,
      CMRotationRateData.self, CMRecordedRotationRateData.self, CMMagnetometerData.self, CMAttitude.self,
      CMDeviceMotion.self,
    ]
    #expect(codable.allSatisfy { $0.supportsSecureCoding })
    let frames: [CMAttitudeReferenceFrame] = [
      .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical, .xTrueNorthZVertical,
    ]
    #expect(frames.map(\.rawValue) == [1, 2, 4, 8])
  }

  @Test("every class has the initialiser without arguments that Apple's inherit, and every C struct its two")
  func initialisers() throws {
    let items: [CMLogItem] = [
      CMLogItem(), CMAccelerometerData(), CMRecordedAccelerometerData(), CMGyroData(), CMRotationRateData(),
      CMRecordedRotationRateData(), CMMagnetometerData(), CMDeviceMotion(), CMAltitudeData(), CMAbsoluteAltitudeData(),
      CMMotionActivity(),
    ]
    #expect(items.allSatisfy { $0.timestamp == 0 })
    for item in items { #expect(try coded(item).timestamp == 0) }
    #expect(CMAttitude().quaternion.w == 1 && CMPedometerData().numberOfSteps == 0 && CMPedometerEvent().type == .pause)
    #expect(CMDeviceMotion().heading == -1 && CMDeviceMotion().magneticField.accuracy == .uncalibrated)
    #expect(CMMotionActivity().unknown && CMAccelerometerData().acceleration.z == 0)
    #expect(CMPedometerData().distance == nil && Array(CMSensorDataList()).isEmpty)
    let _: [NSObject] = [
      CMMotionManager(), CMMotionActivityManager(), CMPedometer(), CMAltimeter(), CMHeadphoneMotionManager(),
      CMBatchedSensorManager(), CMSensorRecorder(),
    ]
    #expect(CMAcceleration().z == 0 && CMRotationRate().x == 0 && CMMagneticField().y == 0)
    #expect(CMQuaternion().w == 0 && CMRotationMatrix().m22 == 0)
    _ = (CMAcceleration(x: 1, y: 2, z: 3), CMRotationRate(x: 1, y: 2, z: 3), CMMagneticField(x: 1, y: 2, z: 3))
    #expect(CMCalibratedMagneticField().accuracy == .low && CMCalibratedMagneticField().field.x == 0)
    _ = CMQuaternion(x: 0, y: 0, z: 0, w: 1)
    _ = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .low)
    _ = CMRotationMatrix(m11: 1, m12: 0, m13: 0, m21: 0, m22: 1, m23: 0, m31: 0, m32: 0, m33: 1)
  }

  @Test("stubs of an app's tests override what they need")
  func standIns() {
    let motion = FakeMotion()
    #expect(motion.userAcceleration.z == 3 && motion.timestamp == 42 && motion.attitude.quaternion.w == 1)
    #expect(FakeAltitude().relativeAltitude == 1.5 && FakePedometerData().numberOfSteps == 1000)
    #expect(FakeActivity().walking && FakeActivity().confidence == .high)
    let reported = Collected<Double>()
    FakeManager().startDeviceMotionUpdates(to: .main) { motion, _ in reported.append(motion?.timestamp ?? 0) }
    #expect(reported.all == [42] && FakeManager().deviceMotion?.gravity.z == -1)
  }

  @Test("the motion manager has Apple's members")
  func motionManager() {
    let _: [PartialKeyPath<CMMotionManager>] = [
      \.accelerometerUpdateInterval, \.gyroUpdateInterval, \.magnetometerUpdateInterval, \.deviceMotionUpdateInterval,
      \.isAccelerometerAvailable, \.isGyroAvailable, \.isMagnetometerAvailable, \.isDeviceMotionAvailable,
      \.isAccelerometerActive, \.isGyroActive, \.isMagnetometerActive, \.isDeviceMotionActive, \.accelerometerData,
      \.gyroData, \.magnetometerData, \.deviceMotion, \.attitudeReferenceFrame, \.showsDeviceMovementDisplay,
    ]
    typealias Plain = (CMMotionManager) -> () -> Void
    let plain: [Plain] = [
      CMMotionManager.startAccelerometerUpdates, CMMotionManager.startGyroUpdates,
      CMMotionManager.startMagnetometerUpdates, CMMotionManager.startDeviceMotionUpdates,
      CMMotionManager.stopAccelerometerUpdates, CMMotionManager.stopGyroUpdates,
      CMMotionManager.stopMagnetometerUpdates, CMMotionManager.stopDeviceMotionUpdates,
    ]
    let manager = CMMotionManager(source: RecordingSource(samples: []))
    for function in plain { function(manager)() }
    let _:
      (CMMotionManager) -> (OperationQueue, @escaping @Sendable (CMAccelerometerData?, (any Error)?) -> Void) -> Void =
        CMMotionManager.startAccelerometerUpdates(to:withHandler:)
    let _: (CMMotionManager) -> (OperationQueue, @escaping @Sendable (CMGyroData?, (any Error)?) -> Void) -> Void =
      CMMotionManager.startGyroUpdates(to:withHandler:)
    let _:
      (CMMotionManager) -> (OperationQueue, @escaping @Sendable (CMMagnetometerData?, (any Error)?) -> Void) -> Void =
        CMMotionManager.startMagnetometerUpdates(to:withHandler:)
    let _: (CMMotionManager) -> (OperationQueue, @escaping @Sendable (CMDeviceMotion?, (any Error)?) -> Void) -> Void =
      CMMotionManager.startDeviceMotionUpdates(to:withHandler:)
    let _: (CMMotionManager) -> (CMAttitudeReferenceFrame) -> Void = CMMotionManager.startDeviceMotionUpdates(using:)
    let _:
      (CMMotionManager) -> (
        CMAttitudeReferenceFrame, OperationQueue, @escaping @Sendable (CMDeviceMotion?, (any Error)?) -> Void
      ) -> Void =
        CMMotionManager.startDeviceMotionUpdates(using:to:withHandler:)
    let _: () -> CMAttitudeReferenceFrame = CMMotionManager.availableAttitudeReferenceFrames
  }

  @Test("the types of handlers are Apple's, so that code may name them")
  func handlers() {
    let types: [Any.Type] = [
      CMAbsoluteAltitudeHandler.self, CMAccelerometerHandler.self, CMAltitudeHandler.self,
      CMBatchedSensorManager.AccelerometerHandler.self, CMBatchedSensorManager.DeviceMotionHandler.self,
      CMDeviceMotionHandler.self, CMGyroHandler.self, CMHeadphoneMotionManager.DeviceMotionHandler.self,
      CMMagnetometerHandler.self, CMMotionActivityHandler.self, CMMotionActivityQueryHandler.self,
      CMPedometerEventHandler.self, CMPedometerHandler.self, CMHeadphoneActivityManager.ActivityHandler.self,
      CMHeadphoneActivityManager.StatusHandler.self, CMStepQueryHandler.self, CMStepUpdateHandler.self,
      CMTremorResultHandler.self, CMDyskineticSymptomResultHandler.self,
    ]
    #expect(types.count == 19)
  }

  @Test("the managers of headphones, batches and recordings have Apple's members")
  func otherManagers() {
    let _: [PartialKeyPath<CMHeadphoneMotionManager>] = [
      \.delegate, \.isDeviceMotionAvailable, \.isDeviceMotionActive, \.deviceMotion, \.isConnectionStatusActive,
    ]
    let _: () -> CMAuthorizationStatus = CMHeadphoneMotionManager.authorizationStatus
    let _: [(CMHeadphoneMotionManager) -> () -> Void] = [
      CMHeadphoneMotionManager.startDeviceMotionUpdates, CMHeadphoneMotionManager.stopDeviceMotionUpdates,
      CMHeadphoneMotionManager.startConnectionStatusUpdates, CMHeadphoneMotionManager.stopConnectionStatusUpdates,
    ]
    let _:
      (CMHeadphoneMotionManager) -> (OperationQueue, @escaping @Sendable (CMDeviceMotion?, (any Error)?) -> Void) ->
        Void =
        CMHeadphoneMotionManager.startDeviceMotionUpdates(to:withHandler:)
    let _: [PartialKeyPath<CMBatchedSensorManager>] = [
      \.isAccelerometerActive, \.isDeviceMotionActive, \.accelerometerDataFrequency, \.deviceMotionDataFrequency,
      \.accelerometerBatch, \.deviceMotionBatch,
    ]
    #expect(CMBatchedSensorManager.authorizationStatus == .authorized)
    let _: (Bool, Bool) = (
      CMBatchedSensorManager.isAccelerometerSupported, CMBatchedSensorManager.isDeviceMotionSupported
    )
    let _: [(CMBatchedSensorManager) -> () -> Void] = [
      CMBatchedSensorManager.startAccelerometerUpdates, CMBatchedSensorManager.stopAccelerometerUpdates,
      CMBatchedSensorManager.startDeviceMotionUpdates, CMBatchedSensorManager.stopDeviceMotionUpdates,
    ]
    let _: (CMBatchedSensorManager) -> (@escaping @Sendable ([CMAccelerometerData]?, (any Error)?) -> Void) -> Void =
      CMBatchedSensorManager.startAccelerometerUpdates(handler:)
    let _: (CMBatchedSensorManager) -> (@escaping @Sendable ([CMDeviceMotion]?, (any Error)?) -> Void) -> Void =
      CMBatchedSensorManager.startDeviceMotionUpdates(handler:)
    let _ = (CMBatchedSensorManager.accelerometerUpdates, CMBatchedSensorManager.deviceMotionUpdates)
    let _: () -> Bool = CMSensorRecorder.isAccelerometerRecordingAvailable
    let _: () -> CMAuthorizationStatus = CMSensorRecorder.authorizationStatus
    let _: (CMSensorRecorder) -> (TimeInterval) -> Void = CMSensorRecorder.recordAccelerometer(forDuration:)
    let _: (CMSensorRecorder) -> (Date, Date) -> CMSensorDataList? = CMSensorRecorder.accelerometerData(from:to:)
  }

  @Test("activity, steps and altitude have Apple's members")
  func recognition() {
    let _: [AnyKeyPath] = [
      \CMMotionActivity.confidence, \CMMotionActivity.startDate, \CMMotionActivity.unknown,
      \CMMotionActivity.stationary, \CMMotionActivity.walking, \CMMotionActivity.running, \CMMotionActivity.automotive,
      \CMMotionActivity.cycling, \CMPedometerData.startDate, \CMPedometerData.endDate, \CMPedometerData.numberOfSteps,
      \CMPedometerData.distance, \CMPedometerData.floorsAscended, \CMPedometerData.floorsDescended,
      \CMPedometerData.currentPace, \CMPedometerData.currentCadence, \CMPedometerData.averageActivePace,
      \CMPedometerEvent.date, \CMPedometerEvent.type, \CMAltitudeData.relativeAltitude, \CMAltitudeData.pressure,
      \CMAbsoluteAltitudeData.altitude, \CMAbsoluteAltitudeData.accuracy, \CMAbsoluteAltitudeData.precision,
    ]
    #expect([CMMotionActivityConfidence.low, .medium, .high].map(\.rawValue) == [0, 1, 2])
    #expect([CMPedometerEventType.pause, .resume].map(\.rawValue) == [0, 1])
    let _: [() -> Bool] = [
      CMMotionActivityManager.isActivityAvailable, CMPedometer.isStepCountingAvailable, CMPedometer.isDistanceAvailable,
      CMPedometer.isFloorCountingAvailable, CMPedometer.isPaceAvailable, CMPedometer.isCadenceAvailable,
      CMPedometer.isPedometerEventTrackingAvailable, CMAltimeter.isRelativeAltitudeAvailable,
      CMAltimeter.isAbsoluteAltitudeAvailable,
    ]
    let statuses: [() -> CMAuthorizationStatus] = [
      CMMotionActivityManager.authorizationStatus, CMPedometer.authorizationStatus, CMAltimeter.authorizationStatus,
    ]
    #expect(statuses.allSatisfy { $0() == .authorized })
    let _:
      (CMMotionActivityManager) -> (
        Date, Date, OperationQueue, @escaping @Sendable ([CMMotionActivity]?, (any Error)?) -> Void
      ) -> Void =
        CMMotionActivityManager.queryActivityStarting(from:to:to:withHandler:)
    let _: (CMMotionActivityManager) -> (OperationQueue, @escaping @Sendable (CMMotionActivity?) -> Void) -> Void =
      CMMotionActivityManager.startActivityUpdates(to:withHandler:)
    let _: (CMMotionActivityManager) -> () -> Void = CMMotionActivityManager.stopActivityUpdates
    let _: (CMPedometer) -> (Date, Date, @escaping @Sendable (CMPedometerData?, (any Error)?) -> Void) -> Void =
      CMPedometer.queryPedometerData(from:to:withHandler:)
    let _: (CMPedometer) -> (Date, @escaping @Sendable (CMPedometerData?, (any Error)?) -> Void) -> Void = CMPedometer
      .startUpdates(from:withHandler:)
    let _: (CMPedometer) -> (@escaping @Sendable (CMPedometerEvent?, (any Error)?) -> Void) -> Void = CMPedometer
      .startEventUpdates(handler:)
    let _: [(CMPedometer) -> () -> Void] = [CMPedometer.stopUpdates, CMPedometer.stopEventUpdates]
    let _: (CMAltimeter) -> (OperationQueue, @escaping @Sendable (CMAltitudeData?, (any Error)?) -> Void) -> Void =
      CMAltimeter.startRelativeAltitudeUpdates(to:withHandler:)
    let _:
      (CMAltimeter) -> (OperationQueue, @escaping @Sendable (CMAbsoluteAltitudeData?, (any Error)?) -> Void) -> Void =
        CMAltimeter.startAbsoluteAltitudeUpdates(to:withHandler:)
    let _: [(CMAltimeter) -> () -> Void] = [
      CMAltimeter.stopRelativeAltitudeUpdates, CMAltimeter.stopAbsoluteAltitudeUpdates,
    ]
  }
}
