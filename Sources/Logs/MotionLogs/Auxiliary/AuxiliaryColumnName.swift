internal import InertialSensors

/// What a column of a wide CSV is of an auxiliary channel, as far as its name tells.
struct AuxiliaryColumnName {
  enum Match: Sendable {
    case cell(AuxiliaryChannel, AuxiliaryCell)
    /// The quantity is known, and its unit is not.
    case unitMissing
  }

  /// Knows a column by a name of our own, such as `pressure` of a fused dataset (in the field's unit, as told there), or
  /// by a usual name with its unit, such as `Pressure (hPa)` or `altimeterPressure(kPa)`; nil where it is none of these.
  static func match(_ text: String) -> Match? {
    let (body, unit) = ColumnName.splitUnit(text[...])
    if let (channel, place) = own[text] {
      return .cell(channel, cell(channel, place, .identity))
    }
    if let (name, ownUnit) = ColumnName.splitOwnUnit(text[...]), let (channel, place) = own[name],
      channel.fields[place].unit == ownUnit
    {
      return .cell(channel, cell(channel, place, .identity))
    }
    if let match = ownTexts[text] { return match }
    let words = ColumnName.words(body)
    if let match = others[words.joined()] { return match }
    // Without a unit it is near or far; "Proximity (cm)" is a distance, and told as one.
    if words == ["proximity"] {
      let near = AuxiliaryChannel.proximity.fieldIndex("proximityNear")!
      guard let unit else { return .cell(.proximity, .word(near, AuxiliaryCell.proximities)) }
      let distance = AuxiliaryChannel.proximity.fieldIndex("proximityDistance")!
      return conversion(from: unit, to: "m").map { .cell(.proximity, .number(distance, $0)) } ?? .unitMissing
    }
    if unit == nil, ["shakestatus", "deviceshakestatus"].contains(words.joined()) {
      return .cell(.deviceShake, .shakeStatus)
    }
    guard words.count <= 6, let (channel, name, hasUnit) = known(words.joined()) else { return nil }
    if let place = channel.textIndex(name) {
      return .cell(channel, name == "activity" ? .activity : .text(place))
    }
    guard let place = channel.fieldIndex(name) else { return nil }
    let field = channel.fields[place]
    guard let unit else {
      return hasUnit || field.unit == "1" ? .cell(channel, cell(channel, place, .identity)) : .unitMissing
    }
    guard let conversion = conversion(from: unit, to: field.unit) else { return .unitMissing }
    return .cell(channel, cell(channel, place, conversion))
  }

  private static func cell(_ channel: AuxiliaryChannel, _ place: Int, _ conversion: UnitConversion) -> AuxiliaryCell {
    switch channel.fields[place].name {
    case "batteryState": .word(place, AuxiliaryCell.batteryStates)
    case "activityConfidence": .word(place, AuxiliaryCell.confidences)
    case "lowPowerMode": .word(place, AuxiliaryCell.switches)
    case "proximityNear", "proximityChange": .word(place, AuxiliaryCell.proximities)
    case "bluetoothState": .word(place, AuxiliaryCell.bluetoothStates)
    default: .number(place, conversion)
    }
  }

  /// The fields' own names.
  private static let own: [String: (AuxiliaryChannel, Int)] = {
    var names: [String: (AuxiliaryChannel, Int)] = [:]
    for channel in AuxiliaryChannel.ofLogs {
      for (place, field) in channel.fields.enumerated() { names[field.name] = (channel, place) }
    }
    return names
  }()

  /// The texts' own names. `activity` is a word for one of the channel's numbers.
  private static let ownTexts: [String: Match] = {
    var names: [String: Match] = [:]
    for channel in AuxiliaryChannel.ofLogs where channel != .activity {
      for (place, name) in channel.textFields.enumerated() { names[name] = .cell(channel, .text(place)) }
    }
    return names
  }()

  /// Names for what is neither a number with a unit nor a text by its own name.
  private static let others: [String: Match] = {
    var names: [String: Match] = [:]
    func add(_ words: [String], _ channel: AuxiliaryChannel, _ cell: AuxiliaryCell) {
      for word in words { names[word] = .cell(channel, cell) }
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
    // A strength of a radio is told in dBm, named or not.
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
    if let (channel, place) = ownLowered[joined] { return (channel, channel.fields[place].name, false) }
    return usual[joined]
  }

  private static let ownLowered: [String: (AuxiliaryChannel, Int)] = {
    Dictionary(own.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { a, _ in a })
  }()

  /// Names that apps write, without marks and capitals. With `hasUnit` the name itself is the unit's.
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

  /// The step from a unit written in a header to a field's; nil where it is none of the quantity's.
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
      // A number without a unit: whatever a header says of it, such as (N), (Z), (R) or (steps).
      default: [unit: .identity]
      }
    return known[unit]
  }
}
