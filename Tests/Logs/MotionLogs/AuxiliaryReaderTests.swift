import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Reads a log's motion and auxiliary samples to its end.
func readBoth(_ reader: some LogReader) throws(LogError) -> (
  motion: [SensorSample], auxiliary: [AuxiliarySample], description: LogDescription
) {
  var reader = reader
  var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
  while try reader.read(into: &motion) { reader.takeAuxiliary(into: &auxiliary) }
  reader.takeAuxiliary(into: &auxiliary)
  return (motion, auxiliary, reader.description)
}

typealias AuxiliaryLog = (samples: [AuxiliarySample], motion: Int, description: LogDescription)

/// Reads a log's auxiliary samples to its end, and counts the motion samples.
func readAuxiliary(_ reader: some LogReader) throws(LogError) -> AuxiliaryLog {
  let (motion, auxiliary, description) = try readBoth(reader)
  return (auxiliary, motion.count, description)
}

extension [AuxiliarySample] {
  // Not a subscript: every additional overload makes expressions with several subscripts too complex for the type
  // checker.
  func of(_ channel: AuxiliaryChannel) -> [AuxiliarySample] { filter { $0.channel == channel } }
}

/// The options that request every channel of logs.
let everything = with(LogOptions()) { $0.auxiliary = AuxiliaryChannel.ofLogs }

@Suite("Other files of Sensor Logger") struct SensorLoggerAuxiliaryTests {
  private let folder = TemporaryFolder()
  private static let start = 1_700_000_000_000_000_000

  private func write(_ name: String, _ header: String, _ rows: [(Double, String)]) {
    let lines = rows.map { "\(Self.start + Int($0.0 * 1e9)),\($0.0),\($0.1)\n" }
    folder.write("time,seconds_elapsed,\(header)\n" + lines.joined(), to: name)
  }

  private func writeMotion(standardisation: String = "false") {
    folder.write("version,device name,platform,standardisation\n3,phone,ios,\(standardisation)\n", to: "Metadata.csv")
    write("AccelerometerUncalibrated.csv", "z,y,x", (0..<1000).map { (Double($0) / 100, "-1,0,0") })
  }

  private func read(_ options: LogOptions = everything) throws(LogError) -> AuxiliaryLog {
    try readAuxiliary(LogFormat.sensorLogger.reader(of: folder.path, options: options))
  }

  @Test("columns are found by name and delivered in the channels' units, on the log's clock")
  func channels() throws {
    writeMotion()
    write("Barometer.csv", "relativeAltitude,pressure", [(-0.5, "0,1013.25"), (1, "0.5,1013")])
    write("Pedometer.csv", "steps", [(2, "4"), (5, "11")])
    write("Activity.csv", "confidence,activity", [(1, "high,walking"), (3, "low,tilting")])
    write(
      "Location.csv",
      "bearingAccuracy,speedAccuracy,verticalAccuracy,horizontalAccuracy,speed,bearing,altitude,longitude,latitude",
      [(1, "-1,0.5,3,5,1.25,-1,480.5,8.5,47.25")])
    write("Compass.csv", "magneticBearing", [(0, "359.5")])
    write("Light.csv", "lux", [(1, "250")])
    write("Brightness.csv", "brightness", [(1, "0.5")])
    write("Microphone.csv", "dBFS", [(0.25, "-42.5")])
    write("Battery.csv", "lowPowerMode,batteryState,batteryLevel", [(0, "false,charging,0.75")])
    write("BatteryTemp.csv", "temperature", [(0, "31.5")])
    write("HeartRate.csv", "bpm", [(0, "72")])
    write("Annotation.csv", "text,millisecond_press_duration", [(4, "\"gate, \"\"north\"\"\",250")])
    write("WiFi.csv", "ssid,bssid,frequency,level,capabilities", [(2, "home,aa:bb,2457,-61,[WPA2]")])
    write("Bluetooth.csv", "sensor,id,rssi,txPowerLevel,manufacturerData", [(2, "x,AB:CD,-70,null,4c00")])
    let (samples, motion, description) = try read()
    #expect(motion == 1000 && description.auxiliaryChannels == Set(samples.map(\.channel)))
    #expect(description.auxiliaryChannels.count == 14)
    let barometer = samples.of(.barometer)
    #expect(barometer.map(\.time) == [-0.5, 1] && isNear(barometer[0]["pressure"], 101.325, within: 1e-12))
    #expect(barometer[1]["relativeAltitude"] == 0.5 && barometer[1].line == 3)
    #expect(samples.of(.pedometer).map { $0["numberOfSteps"] } == [4, 11])
    #expect(samples.of(.activity)[0]["activityWalking"] == 1 && samples.of(.activity)[0]["activityConfidence"] == 2)
    #expect(samples.of(.activity)[1]["activityUnknown"] == 1 && samples.of(.activity)[1][text: "activity"] == "tilting")
    let place = samples.of(.location)[0]
    #expect(place["latitude"] == 47.25 && place["longitude"] == 8.5 && place["ellipsoidalAltitude"] == 480.5)
    #expect(place["speed"] == 1.25 && place["course"] == -1 && place["locationAltitude"].isNaN)
    #expect(samples.of(.compass)[0]["magneticHeading"] == 359.5)
    #expect(samples.of(.light)[0]["illuminance"] == 250 && samples.of(.screen)[0]["screenBrightness"] == 0.5)
    #expect(samples.of(.microphone)[0]["soundLevel"] == -42.5 && samples.of(.heartRate)[0]["heartRate"] == 72)
    let battery = samples.of(.battery)[0]
    #expect(battery["batteryLevel"] == 0.75 && battery["batteryState"] == 2 && battery["lowPowerMode"] == 0)
    #expect(samples.of(.batteryTemperature)[0]["batteryTemperature"] == 31.5)
    let mark = samples.of(.annotation)[0]
    #expect(mark[text: "annotation"] == "gate, \"north\"" && mark["pressDuration"] == 0.25)
    #expect(
      samples.of(.wifi)[0].values == [-61, 2457] && samples.of(.wifi)[0].texts == ["aa:bb", "home", "[WPA2]", ""])
    let advert = samples.of(.bluetooth)[0]
    #expect(advert["bluetoothRSSI"] == -70 && advert["bluetoothTransmitPower"].isNaN)
    #expect(advert.texts == ["AB:CD", "", "4c00", "", ""])
  }

  @Test("unrequested channels are not read, and the motion is unchanged")
  func notWanted() throws {
    writeMotion()
    write("Barometer.csv", "relativeAltitude,pressure", [(0, "0,1013")])
    folder.write("garbage", to: "Light.csv")
    let none = try read(LogOptions())
    #expect(none.samples.isEmpty && none.motion == 1000 && none.description.auxiliaryChannels.isEmpty)
    let options = with(LogOptions()) { $0.auxiliary = [.light] }
    let light = try read(options)
    #expect(light.samples.isEmpty && light.description.notes.contains("Light.csv: no column time, not read"))
    #expect(none.description.notes.allSatisfy { !$0.contains("Light") })
  }

  @Test(
    "the watch's pressure is in kPa, or in mbar if standardised; the phone's barometer takes precedence",
    arguments: [("false", 101.3), ("true", 10.13)])
  func watch(standardisation: String, kilopascals: Double) throws {
    writeMotion(standardisation: standardisation)
    write("WatchBarometer.csv", "pressure,relativeAltitude", [(0, "101.3,2")])
    write("WatchLocation.csv", "altitude,ellipsoidalAltitude,course", [(0, "430,480,90")])
    let samples = try read().samples
    #expect(isNear(samples.of(.barometer)[0]["pressure"], kilopascals, within: 1e-12))
    let place = samples.of(.location)[0]
    #expect(place["locationAltitude"] == 430 && place["ellipsoidalAltitude"] == 480 && place["course"] == 90)
    write("Barometer.csv", "pressure,relativeAltitude", [(0, "990,1")])
    let (both, _, description) = try read()
    #expect(both.of(.barometer).map { $0["relativeAltitude"] } == [1])
    #expect(description.notes.contains("WatchBarometer.csv not read: Barometer.csv has its channel"))
  }

  @Test("empty files, unknown columns and damaged lines only cause a note")
  func tolerance() throws {
    writeMotion()
    folder.write("", to: "Pedometer.csv")
    folder.write("time,seconds_elapsed,other\n1,2,3\n", to: "Compass.csv")
    folder.write(
      "time,lux,sparkle\n\(Self.start),1,9\nx,2,9\n\(Self.start),3\n\n\(Self.start),dark,9\n", to: "Light.csv")
    folder.write("time,seconds_elapsed,relativeAltitude,pressure\n", to: "Barometer.csv")
    folder.write([UInt8]("time,dBFS\n\(Self.start),-1\n".utf8) + [0, 0x0A], to: "Microphone.csv")
    let (samples, motion, description) = try read()
    #expect(motion == 1000)
    #expect(samples.of(.light).map { $0["illuminance"].isNaN } == [false, true] && samples.of(.microphone).count == 1)
    for note in [
      "Pedometer.csv is empty", "Compass.csv: no column of compass, not read", "Light.csv: columns not read: sparkle",
      "Light.csv: 2 lines that cannot be read were left out, the first in line 3",
      "Microphone.csv: 1 line that cannot be read was left out, the first in line 3",
    ] { #expect(description.notes.contains(note), "\(note) not in \(description.notes)") }
    #expect(description.auxiliaryChannels == [.light, .barometer, .microphone])
  }

  @Test("samples are delivered with the motion of their time, and later samples at the end")
  func order() throws {
    folder.write("platform\nios\n", to: "Metadata.csv")
    write("AccelerometerUncalibrated.csv", "z,y,x", (0..<20_000).map { (Double($0) / 100, "-1,0,0") })
    write("Light.csv", "lux", (0..<300).map { (Double($0), "1") })
    var reader = try LogFormat.sensorLogger.reader(of: folder.path, options: everything)
    var (motion, light): ([SensorSample], [AuxiliarySample]) = ([], [])
    while try reader.read(into: &motion) {
      reader.takeAuxiliary(into: &light)
      #expect(light.last!.time <= motion.last!.time && light.last!.time > motion.last!.time - 1)
    }
    #expect(light.count == 200)
    reader.takeAuxiliary(into: &light)
    #expect(light.map(\.time) == (0..<300).map(Double.init))
  }

  @Test("the real recordings' barometers are in kPa, at about the app's rates", .needs(.data))
  func real() throws {
    for (name, count, pressures) in [("iphone12promax-ski", 338, 70.3...73.9), ("galaxys25-ski", 2475, 101.4...101.7)] {
      let path = TestData.url("sensor-logger/" + name).path
      let (samples, motion, description) = try readAuxiliary(
        LogFormat.sensorLogger.reader(of: path, options: everything))
      #expect(samples.count == count && description.auxiliaryChannels == [.barometer])
      #expect(samples.allSatisfy { pressures.contains($0["pressure"]) })
      #expect(motion == (try readAll(LogFormat.sensorLogger.reader(of: path))).count)
      // The altitude falls by about 8.4 m per kPa at sea level, and by more in the mountains.
      let high = samples.max { $0["relativeAltitude"] < $1["relativeAltitude"] }!
      let low = samples.min { $0["relativeAltitude"] < $1["relativeAltitude"] }!
      let slope = (high["relativeAltitude"] - low["relativeAltitude"]) / (low["pressure"] - high["pressure"])
      #expect((80...120).contains(slope), "\(slope)")
    }
  }
}

@Suite("Other quantities in a wide CSV") struct CSVAuxiliaryTests {
  private static let motion = "accelerationX,accelerationY,accelerationZ"

  private func read(_ text: String, _ options: LogOptions = everything) throws(LogError) -> AuxiliaryLog {
    try readAuxiliary(csv(text, options))
  }

  @Test("columns with known names and units become samples in rows with a value of the channel")
  func described() throws {
    let (samples, motion, description) = try read(
      "time,\(Self.motion),altimeterPressure(hPa),relativeAltitude (m),locationSpeed(km/h),Heart Rate (bpm),activity(txt),batteryState\n"
        + "0,0,0,-1,1013,1.5,36,,walking,charging\n0.5,0,0,-1,,,,80,,\n1,,,,1012,,,,,2\n")
    #expect(motion == 2 && samples.of(.barometer).map { $0["pressure"] } == [101.3, 101.2])
    #expect(samples.of(.barometer).map(\.time) == [0, 1] && samples.of(.barometer).map(\.line) == [2, 4])
    #expect(samples.of(.barometer)[0]["relativeAltitude"] == 1.5 && samples.of(.barometer)[1]["relativeAltitude"].isNaN)
    #expect(isNear(samples.of(.location)[0]["speed"], 10, within: 1e-12) && samples.of(.location).count == 1)
    #expect(samples.of(.heartRate).map { $0["heartRate"] } == [80])
    #expect(samples.of(.activity).map { $0["activityWalking"] } == [1])
    #expect(samples.of(.battery).map { $0["batteryState"] } == [2, 2])
    #expect(description.notes.allSatisfy { !$0.contains("not read") })
  }

  @Test("Inertial's own names need no unit, others do, and unrequested columns are not read")
  func units() throws {
    let text = "time,\(Self.motion),pressure,barometricPressure,lat,lux\n0,0,0,-1,101.3,1013,47.5,12\n"
    let (samples, _, description) = try read(text)
    #expect(samples.of(.barometer)[0]["pressure"] == 101.3 && samples.of(.light)[0]["illuminance"] == 12)
    #expect(samples.of(.location).isEmpty && description.notes.contains("lat: not read, as its unit is unknown"))
    let none = try read(text, LogOptions())
    #expect(none.samples.isEmpty && none.motion == 1 && none.description.auxiliaryChannels.isEmpty)
    #expect(none.description.notes.contains("columns not read: pressure, barometricPressure, lat, lux"))
  }

  @Test("a cell that is not a number is not a value, and a line with too few fields is an error")
  func damage() throws {
    let header = "time,\(Self.motion),pressure (kPa),light (lux)\n"
    let samples = try read(header + "0,0,0,-1,high,5\n1,0,0,-1,100,6\n").samples
    #expect(samples.of(.barometer).map { $0["pressure"] } == [100] && samples.of(.light).count == 2)
    #expect(logError { () throws(LogError) in try read(header + "0,0,0,-1,100\n1,0,0,-1,100,5\n") }?.line == 2)
  }

  @Test("a decimal comma is accepted in auxiliary columns")
  func comma() throws {
    let text = "time;accelerationX;accelerationY;accelerationZ;pressure (kPa)\n0;0,5;0;-1;100,5\n1;0;0;-1;100,25\n"
    #expect(try read(text).samples.map { $0["pressure"] } == [100.5, 100.25])
  }

  @Test("the units of headers are converted to the channels'")
  func conversions() throws {
    let cases: [(String, String, Double, Double)] = [
      ("Pa", "kPa", 101_300, 101.3), ("bar", "kPa", 1.013, 101.3), ("km", "m", 2, 2000), ("ft", "m", 100, 30.48),
      ("cm", "m", 5, 0.05), ("rad", "deg", .pi, 180), ("ms", "s", 250, 0.25), ("GHz", "MHz", 2.4, 2400),
      ("mV", "V", 3700, 3.7), ("mA", "A", 500, 0.5), ("steps", "1", 7, 7), ("dB", "dB", -3, -3),
    ]
    for (unit, own, value, expected) in cases {
      let conversion = try #require(AuxiliaryCell.conversion(from: unit, to: own), "\(unit)")
      #expect(isNear(conversion(value), expected, within: 1e-9 * abs(expected)))
    }
    #expect(AuxiliaryCell.conversion(from: "furlong", to: "m") == nil)
  }

  @Test("the name of every field is recognized, and every common name maps to a field")
  func names() {
    for channel in AuxiliaryChannel.ofLogs {
      for (place, field) in channel.fields.enumerated() {
        let found = AuxiliaryCell.match(field.name)
        #expect(found?.channel == channel && found?.cell?.place == "value \(place)", "\(field.name)")
        let described = AuxiliaryCell.match("\(field.name) (\(field.unit))")
        #expect(described?.channel == channel && described?.cell != nil, "\(field.name) (\(field.unit))")
      }
    }
    for text in ["x", "", "(kPa)", "label(N)", "altimeterReset(bool)", "deviceQuaternionX"] {
      #expect(AuxiliaryCell.match(text) == nil, "\(text)")
    }
  }
}

@Suite struct EventTableWriterTests {
  @Test("events of the requested channels become rows, with texts in quotes if required")
  func rows() throws {
    let folder = TemporaryFolder()
    let path = folder.path("log.events.csv")
    let writer = try EventTableWriter(path: path, channels: [.annotation, .deviceShake])
    var mark = AuxiliarySample(time: 1.5, channel: .annotation)
    mark[text: "annotation"] = "a \"b\", c"
    mark["pressDuration"] = 0.25
    writer.append(mark)
    var shake = AuxiliarySample(time: 2, channel: .deviceShake)
    shake["shakePhase"] = 1
    writer.append(shake)
    writer.append(AuxiliarySample(time: 3, channel: .wifi))
    #expect(writer.count == 2 && !FileManager.default.fileExists(atPath: path))
    try writer.close()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text == """
        time,channel,pressDuration,annotation,shakePhase
        1.5,annotation,0.25,"a ""b"", c",
        2.0,deviceShake,,,1.0

        """)
    #expect(throws: OutputError.self) { try EventTableWriter(path: path, channels: [.wifi]) }
  }
}
