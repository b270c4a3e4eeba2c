import CoreMotionCompatibility
import Testing

/// The output of an app in the format of Apple's logs, with numbers from public logs if available.
@Suite struct DescriptionTests {
  @Test("an attitude prints its angles in degrees, with a line break")
  func attitude() {
    let degree = Double.pi / 180
    let attitude = CMAttitude(roll: -0.671815 * degree, pitch: -20.676964 * degree, yaw: -46.549194 * degree)
    #expect("\(attitude)" == "CMAttitude Pitch: -20.676964, Roll: -0.671815, Yaw: -46.549194\n")
  }

  @Test("samples print three numbers and the time; a gyroscope's are in degrees per second")
  func samples() {
    let v = CMAcceleration(x: -0.5, y: 0.25, z: -1)
    #expect(
      "\(CMAccelerometerData(acceleration: v, timestamp: 34853.5))"
        == "x -0.500000 y 0.250000 z -1.000000 @ 34853.500000")
    let field = CMMagneticField(x: 1, y: 2, z: -3)
    #expect(
      "\(CMMagnetometerData(magneticField: field, timestamp: 2))" == "x 1.000000 y 2.000000 z -3.000000 @ 2.000000")
    let rate = CMRotationRate(x: .pi, y: -.pi / 2, z: 0)
    let degrees = "x 180.000000 y -90.000000 z 0.000000 @ 1.000000"
    #expect("\(CMGyroData(rotationRate: rate, timestamp: 1))" == degrees)
    #expect("\(CMRotationRateData(rotationRate: rate, timestamp: 1))" == degrees)
    let date = Date(timeIntervalSinceReferenceDate: 100)
    let recorded = CMRecordedAccelerometerData(acceleration: v, timestamp: 3, identifier: 7, startDate: date)
    #expect("\(recorded)" == "7, 3.000000, 100.000000, (-0.500000, 0.250000, -1.000000)")
    let turned = CMRecordedRotationRateData(
      rotationRate: CMRotationRate(x: 1, y: 2, z: 3), timestamp: 3, startDate: date)
    #expect("\(turned)" == "3.000000 100.000000, (1.000000, 2.000000, 3.000000)")
    #expect("\(CMLogItem(timestamp: 1.5))" == "CMLogItem @ 1.500000")
    #expect("\(CMSensorDataList())" == "CMSensorDataList of 0 samples")
  }

  @Test("a motion prints everything in one line")
  func motion() {
    let motion = CMDeviceMotion(
      DeviceMotion(
        time: 4277.5, attitude: .identity, gravity: Vector3(0, 0, -1), userAcceleration: Vector3(-0.25, 0.5, 0),
        rotationRate: Vector3(1, 2, 3), magneticField: nil, magneticFieldAccuracy: .uncalibrated, heading: -1,
        attitudeSigma: nil), sensorLocation: .headphoneRight)
    let expected = [
      "QuaternionX 0.000000 QuaternionY 0.000000 QuaternionZ 0.000000 QuaternionW 1.000000",
      "UserAccelX -0.250000 UserAccelY 0.500000 UserAccelZ 0.000000",
      "RotationRateX 1.000000 RotationRateY 2.000000 RotationRateZ 3.000000",
      "MagneticFieldX 0.000000 MagneticFieldY 0.000000 MagneticFieldZ 0.000000 MagneticFieldAccuracy -1",
      "Heading -1.000000 SensorLocation 2 @ 4277.500000",
    ]
    #expect("\(motion)" == expected.joined(separator: " "))
  }

  @Test("activities, steps and altitudes print their values by name, and (null) for unknown ones")
  func recognised() {
    let activity = "CMMotionActivity @ 0.000000,<startDate,2001-01-01 00:00:00 +0000,confidence,0,"
    #expect("\(CMMotionActivity())" == activity + "unknown,1,stationary,0,walking,0,running,0,automotive,0,cycling,0>")
    #expect(
      "\(FakeActivity())" == "CMMotionActivity @ 0.000000,<startDate,2001-01-01 00:00:00 +0000,confidence,2,"
        + "unknown,1,stationary,0,walking,1,running,0,automotive,0,cycling,0>")
    let nothing =
      "floorsAscended (null) floorsDescended (null) currentPace (null) currentCadence (null) averageActivePace (null)>"
    #expect(
      "\(FakePedometerData())"
        == "CMPedometerData,<startDate 2001-01-01 00:00:00 +0000 endDate 2001-01-01 00:00:00 +0000 "
        + "steps 1000 distance (null) " + nothing)
    #expect("\(CMPedometerEvent())" == "CMPedometerEvent,<eventDate, 2001-01-01 00:00:00 +0000, eventType, Pause>")
    #expect("\(FakeAltitude())" == "Altitude 1.500000 Pressure 0.000000 @ 0.000000")
    #expect(
      "\(CMAbsoluteAltitudeData())"
        == "AbsoluteAltitude: 0.000000, Accuracy: 0.000000, Precision 0.000000, timestamp :0.000000")
  }

  @Test("C structs print as Swift imports them, also in optionals")
  func structs() {
    let gravity: CMAcceleration? = CMAcceleration(x: -0.5, y: 0, z: 1)
    #expect("\(gravity!)" == "CMAcceleration(x: -0.5, y: 0.0, z: 1.0)")
    #expect("\(String(describing: gravity))" == "Optional(__C.CMAcceleration(x: -0.5, y: 0.0, z: 1.0))")
    #expect("\([CMRotationRate()])" == "[__C.CMRotationRate(x: 0.0, y: 0.0, z: 0.0)]")
    let field = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .high)
    #expect(
      "\(field)" == "CMCalibratedMagneticField(field: __C.CMMagneticField(x: 0.0, y: 0.0, z: 0.0), "
        + "accuracy: __C.CMMagneticFieldCalibrationAccuracy(rawValue: 2))")
    #expect("\(CMQuaternion(x: 0, y: 0, z: 0, w: 1))" == "CMQuaternion(x: 0.0, y: 0.0, z: 0.0, w: 1.0)")
    #expect("\(CMRotationMatrix())".hasPrefix("CMRotationMatrix(m11: 0.0, m12: 0.0, m13: 0.0, m21: 0.0"))
  }

  @Test("no class of the interface prints a pointer")
  func pointers() {
    let items: [NSObject] = [
      CMLogItem(), CMAccelerometerData(), CMRecordedAccelerometerData(), CMGyroData(), CMRotationRateData(),
      CMRecordedRotationRateData(), CMMagnetometerData(), CMAttitude(), CMDeviceMotion(), CMAltitudeData(),
      CMAbsoluteAltitudeData(), CMPedometerData(), CMPedometerEvent(), CMMotionActivity(), CMSensorDataList(),
    ]
    for item in items { #expect(!item.description.contains("0x") && !item.description.contains("Compatibility")) }
  }
}
