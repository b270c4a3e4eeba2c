internal import InertialSensors

// The auxiliary channel and field of a wide CSV's column, inferred from its name.
extension AuxiliaryCell {
  /// A channel and its cell, or no cell if the quantity is known, but its unit is unknown.
  typealias Match = (channel: AuxiliaryChannel, cell: AuxiliaryCell?)

  /// Returns the field for a name from Inertial, such as `pressure` in a fused dataset (in the field's unit), or for a
  /// common name with its unit, such as `Pressure (hPa)` or `altimeterPressure(kPa)`. Returns `nil` for all other
  /// names.
  static func match(_ text: String) -> Match? {
    let (body, unit) = ColumnName.splitUnit(text[...])
    if let (channel, index) = own[text] {
      return (channel, cell(channel, index, .identity))
    }
    if let (name, ownUnit) = ColumnName.splitOwnUnit(text[...]), let (channel, index) = own[name],
      channel.fields[index].unit == ownUnit
    {
      return (channel, cell(channel, index, .identity))
    }
    if let match = ownTexts[text] { return match }
    let words = ColumnName.words(body)
    if let match = others[words.joined()] { return match }
    // Without a unit, the column contains near or far; "Proximity (cm)" is a distance.
    if words == ["proximity"] {
      let near = AuxiliaryChannel.proximity.fieldIndex("proximityNear")!
      guard let unit else { return (.proximity, .word(near, proximities)) }
      let distance = AuxiliaryChannel.proximity.fieldIndex("proximityDistance")!
      return (.proximity, conversion(from: unit, to: "m").map { .number(distance, $0) })
    }
    if unit == nil, ["shakestatus", "deviceshakestatus"].contains(words.joined()) {
      return (.deviceShake, .shakeStatus)
    }
    guard words.count <= 6, let (channel, name, hasUnit) = known(words.joined()) else { return nil }
    if let index = channel.textIndex(name) {
      return (channel, name == "activity" ? .activity : .text(index))
    }
    guard let index = channel.fieldIndex(name) else { return nil }
    let field = channel.fields[index]
    guard let unit else {
      return (channel, hasUnit || field.unit == "1" ? cell(channel, index, .identity) : nil)
    }
    return (channel, conversion(from: unit, to: field.unit).map { cell(channel, index, $0) })
  }

  private static func cell(_ channel: AuxiliaryChannel, _ index: Int, _ conversion: UnitConversion) -> AuxiliaryCell {
    switch channel.fields[index].name {
    case "batteryState": .word(index, batteryStates)
    case "activityConfidence": .word(index, confidences)
    case "lowPowerMode": .word(index, switches)
    case "proximityNear", "proximityChange": .word(index, proximities)
    case "bluetoothState": .bluetoothState
    case "brightnessValue": .brightness(index)
    default: .number(index, conversion)
    }
  }

  /// The numeric fields by their names.
  private static let own: [String: (AuxiliaryChannel, Int)] = {
    var names: [String: (AuxiliaryChannel, Int)] = [:]
    for channel in AuxiliaryChannel.ofLogs {
      for (index, field) in channel.fields.enumerated() { names[field.name] = (channel, index) }
    }
    return names
  }()

  /// The text fields by their names. The activity is excluded, as its name stands for a number of its channel.
  private static let ownTexts: [String: Match] = {
    var names: [String: Match] = [:]
    for channel in AuxiliaryChannel.ofLogs where channel != .activity {
      for (index, name) in channel.textFields.enumerated() { names[name] = (channel, .text(index)) }
    }
    return names
  }()

  /// The names of columns that are neither numbers with a unit nor text fields with their own names.
  private static let others: [String: Match] = {
    var names: [String: Match] = [:]
    func add(_ words: [String], _ channel: AuxiliaryChannel, _ cell: AuxiliaryCell) {
      for word in words { names[word] = (channel, cell) }
    }
    func text(_ words: [String], _ channel: AuxiliaryChannel, _ name: String) {
      add(words, channel, .text(channel.textIndex(name)!))
    }
    func list(_ words: [String], _ channel: AuxiliaryChannel, _ name: String) {
      add(words, channel, .list(channel.textIndex(name)!))
    }
    func field(_ words: [String], _ channel: AuxiliaryChannel, _ name: String) {
      add(words, channel, cell(channel, channel.fieldIndex(name)!, .identity))
    }
    add(
      ["brightnessvalue", "exifbrightnessvalue", "exifbrightness", "lightbrightnessvalue"], .sceneLight, .brightness(0))
    field(
      ["proximitystate", "deviceproximitystate", "isproximitynear", "proximitystatus"], .proximity, "proximityNear")
    field(["bluetoothstate", "bluetoothstatus", "cbmanagerstate", "bluetooth"], .bluetooth, "bluetoothState")
    // The signal strength of a radio is in dBm, even if the name has no unit.
    field(["bluetoothrssi", "blerssi"], .bluetooth, "bluetoothRSSI")
    text(["bluetoothname", "bluetoothdevice", "bluetoothdevicename"], .bluetooth, "bluetoothName")
    text(["bluetoothaddress", "bluetoothmac", "bluetoothid", "bluetoothuuid"], .bluetooth, "bluetoothIdentifier")
    list(["bluetoothdevices", "bluetoothlist", "bluetoothdevicelist"], .bluetooth, "bluetoothName")
    field(["wifirssi", "wifilevel", "wifisignal"], .wifi, "wifiRSSI")
    text(["wifissid", "ssid", "wifiname", "wifi"], .wifi, "wifiSSID")
    text(["wifibssid", "bssid"], .wifi, "wifiBSSID")
    list(["wifinetworks", "wifilist", "wifissids", "wifiaccesspoints"], .wifi, "wifiSSID")
    text(["nfc", "nfctext", "nfcpayload", "nfcuri", "nfccontent"], .nfc, "nfcContent")
    list(["nfcrecords", "nfclist", "nfctags"], .nfc, "nfcContent")
    return names
  }()

  private static func known(_ joined: String) -> (AuxiliaryChannel, String, hasUnit: Bool)? {
    if let (channel, index) = ownLowered[joined] { return (channel, channel.fields[index].name, false) }
    return usual[joined]
  }

  private static let ownLowered: [String: (AuxiliaryChannel, Int)] = {
    Dictionary(own.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { a, _ in a })
  }()

  /// The names in apps' logs, in lower case without punctuation. If `hasUnit` is `true`, the name implies the unit.
  private static let usual: [String: (AuxiliaryChannel, String, hasUnit: Bool)] = [
    "airpressure": (.barometer, "pressure", false), "barometricpressure": (.barometer, "pressure", false),
    "atmosphericpressure": (.barometer, "pressure", false), "barometer": (.barometer, "pressure", false),
    "altimeterpressure": (.barometer, "pressure", false),
    "altimeterrelativealtitude": (.barometer, "relativeAltitude", false),
    "steps": (.pedometer, "numberOfSteps", false), "stepcount": (.pedometer, "numberOfSteps", false),
    "pedometernumberofsteps": (.pedometer, "numberOfSteps", false),
    "pedometercurrentpace": (.pedometer, "currentPace", false),
    "pedometercurrentcadence": (.pedometer, "currentCadence", false),
    "pedometeraverageactivepace": (.pedometer, "averageActivePace", false),
    "pedometerfloorascended": (.pedometer, "floorsAscended", false),
    "pedometerfloorsascended": (.pedometer, "floorsAscended", false),
    "pedometerfloordescended": (.pedometer, "floorsDescended", false),
    "pedometerfloorsdescended": (.pedometer, "floorsDescended", false),
    "activity": (.activity, "activity", false),
    "activityactivityconfidence": (.activity, "activityConfidence", false),
    "lat": (.location, "latitude", false), "lon": (.location, "longitude", false),
    "lng": (.location, "longitude", false), "locationlatitude": (.location, "latitude", false),
    "locationlongitude": (.location, "longitude", false), "locationspeed": (.location, "speed", false),
    "locationcourse": (.location, "course", false), "locationfloor": (.location, "floorLevel", false),
    "locationhorizontalaccuracy": (.location, "horizontalAccuracy", false),
    "locationverticalaccuracy": (.location, "verticalAccuracy", false),
    "locationspeedaccuracy": (.location, "speedAccuracy", false),
    "locationcourseaccuracy": (.location, "courseAccuracy", false),
    "locationtrueheading": (.compass, "trueHeading", false),
    "locationmagneticheading": (.compass, "magneticHeading", false),
    "locationheadingaccuracy": (.compass, "headingAccuracy", false),
    "lux": (.light, "illuminance", true), "light": (.light, "illuminance", false),
    "ambientlight": (.light, "illuminance", false),
    "dbfs": (.microphone, "soundLevel", true), "soundpressurelevel": (.microphone, "soundLevel", false),
    "avaudiorecorderaveragepower": (.microphone, "soundLevel", false),
    "avaudiorecorderpeakpower": (.microphone, "soundPeak", false),
    "bpm": (.heartRate, "heartRate", true), "ambienttemperature": (.temperature, "temperature", false),
    "humidity": (.humidity, "relativeHumidity", false), "annotation": (.annotation, "annotation", false),
  ]

  /// Returns the conversion from a header's unit to a field's unit, or `nil` if it is not a unit of the quantity.
  static func conversion(from unit: String, to own: String) -> UnitConversion? {
    let unit = unit.lowercased().filter { $0 != " " && $0 != "^" && $0 != "·" }
    let known: [String: UnitConversion] =
      switch own {
      case "kPa":
        [
          "kpa": .identity, "hpa": UnitConversion(divisor: 10), "mbar": UnitConversion(divisor: 10),
          "mb": UnitConversion(divisor: 10), "pa": UnitConversion(divisor: 1000),
          "bar": UnitConversion(multiplier: 100),
        ]
      case "m":
        [
          "m": .identity, "meters": .identity, "metres": .identity, "km": UnitConversion(multiplier: 1000),
          "cm": UnitConversion(divisor: 100), "ft": UnitConversion(multiplier: 0.3048),
        ]
      case "m/s":
        [
          "m/s": .identity, "mps": .identity, "ms-1": .identity, "km/h": UnitConversion(divisor: 3.6),
          "kmh": UnitConversion(divisor: 3.6),
        ]
      case "deg":
        [
          "deg": .identity, "°": .identity, "º": .identity, "degrees": .identity, "wgs84": .identity,
          "rad": UnitConversion(multiplier: 180, divisor: .pi),
        ]
      case "lx": ["lx": .identity, "lux": .identity]
      case "dB": ["db": .identity, "dbfs": .identity, "dba": .identity, "db(a)": .identity]
      case "dBm": ["dbm": .identity]
      case "°C": ["°c": .identity, "c": .identity, "degc": .identity, "celsius": .identity]
      case "%": ["%": .identity, "percent": .identity]
      case "s/m": ["s/m": .identity]
      case "steps/s": ["steps/s": .identity, "1/s": .identity, "hz": .identity]
      case "1/min": ["1/min": .identity, "bpm": .identity, "beats/min": .identity]
      case "s": ["s": .identity, "ms": UnitConversion(divisor: 1000)]
      case "V": ["v": .identity, "mv": UnitConversion(divisor: 1000)]
      case "A": ["a": .identity, "ma": UnitConversion(divisor: 1000)]
      case "MHz": ["mhz": .identity, "ghz": UnitConversion(multiplier: 1000)]
      // A number without a unit accepts any suffix in the header, such as (N), (Z), (R) or (steps).
      default: [unit: .identity]
      }
    return known[unit]
  }
}
