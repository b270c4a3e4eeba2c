import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Logs of GetSensorData") struct GetSensorDataReaderTests {
  private let folder = TemporaryFolder()

  private static let header = """
    % LogFile created by the 'GetSensorData' App for Android.
    % LogFile Data format:
    % Accelerometer data: \t'ACCE;AppTimestamp(s);SensorTimestamp(s);Acc_X(m/s^2);Acc_Y(m/s^2);Acc_Z(m/s^2);Accuracy(integer)'
    % Gyroscope data:     \t'GYRO;AppTimestamp(s);SensorTimestamp(s);Gyr_X(rad/s);Gyr_Y(rad/s);Gyr_Z(rad/s);Accuracy(integer)'
    % Magnetometer data:  \t'MAGN;AppTimestamp(s);SensorTimestamp(s);Mag_X(uT);;Mag_Y(uT);Mag_Z(uT);Accuracy(integer)'
    % Orientation data:   \t'AHRS;AppTimestamp(s);SensorTimestamp(s);PitchX(deg);RollY(deg);YawZ(deg);Quat(2);Quat(3);Quat(4);Accuracy(int)'
    % WIFI data:          \t'WIFI;AppTimestamp(s);SensorTimeStamp(s);Name_SSID;MAC_BSSID;RSS(dBm);'

    """
  private static let motion = """

    ACCE;0.015;17287.341;0.0;9.80665;-4.903325;3
    GYRO;0.016;17287.337;0.25;-1.125;-0.5;3
    MAGN;0.016;17287.342;7.5;-26.25;-39.75;3
    AHRS;0.017;17287.346;51.891617;31.498898;-54.021839;0.0;0.0;0.6;3
    ACCE;0.030;17287.351;0.0;0.0;9.80665;3
    """
  private static let others = """

    PRES;1.000;17288.300;1013.25;3
    LIGH;1.001;17288.300;120.5;3
    PROX;1.002;17288.300;5.0;3
    HUMI;1.003;17288.300;40;3
    TEMP;1.004;17288.300;21.5;3
    SOUN;1.005;0.01;0.02;60.5;
    GNSS;1.006;1501667544.000;41.5;2.25;40.5;90;5.5;1.25;8;6
    WIFI;1.007;17288.1;a net;aa:bb:cc:dd:ee:ff;-60;
    BLUE;1.008;headset;11:22:33:44:55:66;-70;
    BLE4;1.009;iBeacon;01:02:03:04:05:06;-80;-59;1;2;f7826da6
    BLE4;1.010;Eddystone;01:02:03:04:05:07;-81;000aff
    POSI;1.011;1;41.5;2.25;3;1;
    IMUX;1.012;5;1;0;0;0
    """

  private func reader(_ text: String, _ options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try LogFormat.getSensorData.reader(of: folder.write(text, to: "logfile.txt"), options: options)
  }

  @Test("motion sensors keep their own clock, shifted to the app's, with Inertial's units and signs")
  func channels() throws {
    let reader = try reader(Self.header + Self.motion)
    let description = reader.description
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, -1, 0.5), Vector3(0, 0, -1)])
    // The app's timestamps, set on arrival, are 15 ms apart, the sensor's 10 ms.
    #expect(isNear(samples[.accelerometer][0].time, 0.015, within: 1e-9))
    #expect(isNear(samples[.accelerometer][1].time, 0.025, within: 1e-9))
    #expect(isNear(samples[.gyroscope][0].time, 0.011, within: 1e-9))
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.25, -1.125, -0.5)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(7.5, -26.25, -39.75)])
    #expect(samples[.calibratedMagneticField][0].w == 2)
    // A rotation by 2·asin(0.6) about Z from east to north.
    let q = samples[.deviceAttitude][0].quaternion
    let angle = 2 * asin(0.6)
    #expect(isNear(q.rotate(.unitX), Vector3(sin(angle), -cos(angle), 0), within: 1e-12))
    #expect(description.notes.contains("time: the sensors' own seconds, shifted by a constant to the app's"))
  }

  @Test("logs without comments, as in the competitions' files, have the default columns")
  func withoutComments() throws {
    #expect(try readAll(reader(Self.motion)) == readAll(reader(Self.header + Self.motion)))
    #expect(try openLog(path: folder.write(Self.motion, to: "a.csv")).description.format == "get-sensor-data")
    #expect(!LogFormat.getSensorData.recognizes(LogCandidate(path: "table", head: Array("ACCE;GYRO\n1;2\n".utf8))))
  }

  @Test("other channels have the app's time, and are converted to the channels' units")
  func auxiliary() throws {
    let (samples, _, description) = try readAuxiliary(reader(Self.header + Self.motion + Self.others, everything))
    #expect(samples.map(\.time) == [1, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008, 1.009, 1.010, 1.011])
    #expect(
      description.auxiliaryChannels == [
        .barometer, .light, .proximity, .humidity, .temperature, .microphone, .location, .wifi, .bluetooth, .waypoint,
      ])
    #expect(isNear(samples[0]["pressure"], 101.325, within: 1e-12))
    #expect(samples[1]["illuminance"] == 120.5 && samples[2]["proximityDistance"] == 0.05)
    #expect(samples[3]["relativeHumidity"] == 40 && samples[4]["temperature"] == 21.5)
    #expect(samples[5]["soundLevel"] == 60.5)
    #expect(samples[6]["latitude"] == 41.5 && samples[6]["longitude"] == 2.25 && samples[6]["course"] == 90)
    #expect(samples[6]["ellipsoidalAltitude"] == 40.5 && samples[6]["horizontalAccuracy"] == 5.5)
    #expect(samples[6]["speed"] == 1.25)
    // The comments describe these lines without a frequency.
    #expect(samples[7][text: "wifiSSID"] == "a net" && samples[7]["wifiRSSI"] == -60)
    #expect(samples[8][text: "bluetoothIdentifier"] == "11:22:33:44:55:66" && samples[8]["bluetoothRSSI"] == -70)
    #expect(samples[9]["bluetoothTransmitPower"] == -59 && samples[9]["bluetoothRSSI"] == -80)
    #expect(samples[9][text: "bluetoothData"] == "1 2 f7826da6")
    #expect(samples[10][text: "bluetoothName"] == "Eddystone" && samples[10][text: "bluetoothData"] == "000aff")
    #expect(samples[11][text: "waypoint"] == "41.5 2.25 3 1" && description.notes.contains("lines not read: IMUX"))
  }

  @Test("in the default columns a Wi-Fi line has its frequency")
  func wifiFrequency() throws {
    let options = with(LogOptions()) { $0.auxiliary = [.wifi] }
    let line = "\nWIFI;1.0;17288.1;a net;aa:bb:cc:dd:ee:ff;2412;-60;\n"
    let samples = try readAuxiliary(reader(Self.motion + line, options)).samples
    #expect(samples[0]["wifiFrequency"] == 2412 && samples[0]["wifiRSSI"] == -60)
  }

  @Test("a sensor's own clock is aligned by its first line; without any clock the app's applies")
  func clocks() throws {
    let other = Self.motion.replacing("0.016;17287.337", with: "0.016;99.5")
    let reader = try reader(other)
    #expect(reader.description.notes.contains { $0.hasPrefix("time: GYRO has its own clock") })
    #expect(try isNear(readAll(reader)[.gyroscope][0].time, 0.016, within: 1e-9))

    let none = "ACCE;0.015;0;0;0;9.80665;3\nACCE;0.03;0;0;0;9.80665;3\n"
    let app = try self.reader(none)
    #expect(app.description.notes.contains { $0.hasPrefix("time: the app's seconds") })
    #expect(try readAll(app).map(\.time) == [0.015, 0.03])
  }

  @Test("comments determine the columns: a single clock, gravity, and acceleration without gravity")
  func describedColumns() throws {
    let text = """
      % 'ACCE;Timestamp(s);Acc_Z(m/s^2);Acc_Y(m/s^2);Acc_X(m/s^2)'
      % 'GRAV;AppTimestamp(s);SensorTimestamp(s);Gra_X(m/s^2);Gra_Y(m/s^2);Gra_Z(m/s^2);Accuracy(integer)'
      % 'LACC;AppTimestamp(s);SensorTimestamp(s);Lacc_X(m/s^2);Lacc_Y(m/s^2);Lacc_Z(m/s^2);Accuracy(integer)'
      ACCE;0.5;9.80665;4.903325;-9.80665
      GRAV;0.5;100;0;0;9.80665;3
      LACC;0.5;100;9.80665;0;0;3
      """
    let samples = try readAll(reader(text))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(1, -0.5, -1)])
    #expect(samples[.deviceGravity].map(\.vector) == [Vector3(0, 0, -1)])
    #expect(samples[.deviceUserAcceleration].map(\.vector) == [Vector3(-1, 0, 0)])
    #expect(samples.allSatisfy { $0.time == 0.5 })
  }

  @Test("damage is reported with its location; an incomplete last line is noted")
  func damage() throws {
    let error = logError { () throws(LogError) in try readAll(reader("ACCE;0.015;1;0;up;9.8;3\nGYRO;0.1;1;0;0;0;3\n")) }
    #expect(error?.line == 1 && error?.column == 5)
    let short = logError { () throws(LogError) in try readAll(reader("ACCE;0.015;1;0\nACCE;0.015;1;0\n")) }
    #expect(short?.problem == "4 fields instead of 7 in a line of ACCE")
    var cut = try reader("ACCE;0.015;1;0;0;9.8;3\nACCE;0.025;1.01;0;-")
    let samples = try cut.remainingSamples()
    #expect(samples.count == 1 && cut.description.notes.contains("the last line is cut off and was left out"))
    let none = logError { () throws(LogError) in try reader("GYRO;0.1;1;0;0;0;3\n") }
    #expect(none?.problem == "no lines of acceleration at its beginning (found: GYRO)")
  }
}
