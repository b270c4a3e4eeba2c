internal import InertialSensors
internal import InertialSystem

extension AuxiliaryCell {
  /// Returns the names in a cell that contains a list, such as the devices or networks that a collector detects.
  ///
  /// The list is an array in JSON or Swift notation (`["A", "B"]`), or `A;B`, `A|B` or `A, B`. Outside arrays, the
  /// separator is the semicolon if there is one, else the vertical bar, else the comma. Quotes around names are removed,
  /// and empty names are skipped.
  static func listedNames(_ text: String) -> [String] {
    var body = text.trimmed()[...]
    let isArray = body.first == "[" && body.last == "]"
    if isArray { body = body.dropFirst().dropLast() }
    var names: [String] = []
    var name = ""
    var isQuoted = false
    let separator: Character = isArray ? "," : [";", "|"].first(where: body.contains) ?? ","
    for character in body {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == separator, !isQuoted {
        names.append(name)
        name = ""
      } else {
        name.append(character)
      }
    }
    names.append(name)
    return names.map { $0.trimmed() }.filter { !$0.isEmpty }
  }

  /// Returns the samples of a cell with a list: one for each device, network or record.
  ///
  /// The list is a JSON array of objects (or one object), whose members set the fields and texts that they name, or a
  /// list of names (`listedNames`).
  ///
  /// - Parameters:
  ///   - sample: The sample that all elements have in common.
  ///   - place: The index of the text for names.
  static func listedSamples(_ sample: AuxiliarySample, place: Int) -> [AuxiliarySample] {
    let text = sample.texts[place]
    var shared = sample
    shared.set(text: place, "")
    if let objects = jsonObjects(text) {
      return objects.map { members in
        var one = shared
        for (name, value) in members { one.setMember(name, value) }
        return one
      }.filter { $0 != shared }
    }
    return listedNames(text).map { name in
      var one = sample
      one.set(text: place, name)
      return one
    }
  }

  /// A value of an object's member: its text, and its number if it is one.
  typealias JSONMember = (text: String, number: Double)

  /// Returns the members of the objects in a JSON array or of a single object, or `nil` if the text is anything else.
  ///
  /// Members of a nested object belong to the outer object. The objects in a member's array, such as the records of a
  /// tag, replace the outer object, and have its members too.
  private static func jsonObjects(_ text: String) -> [[(String, JSONMember)]]? {
    guard text.contains("{") else { return nil }
    let scanner = JSONScanner(bytes: Array(text.utf8), name: "list")
    var objects: [[(String, JSONMember)]] = []
    var members: [(String, JSONMember)] = []
    /// The open objects: the number of members before each, whether it is not a member itself, and whether an object in
    /// it has replaced it.
    var open: [(count: Int, isElement: Bool, isReplaced: Bool)] = []
    var (key, last) = ("", JSONScanner.Kind.null)
    do throws(LogError) {
      while let token = try scanner.advance() {
        defer { last = token }
        switch token {
        case .beginObject: open.append((members.count, last != .key, false))
        case .endObject:
          let object = open.removeLast()
          guard object.isElement else { break }
          if !object.isReplaced { objects.append(members) }
          members.removeLast(members.count - object.count)
          if let outer = open.lastIndex(where: \.isElement) { open[outer].isReplaced = true }
        case .key: key = scanner.string
        case .string, .number, .yes, .no:
          guard !open.isEmpty else { return nil }
          let text = token == .yes ? "true" : token == .no ? "false" : scanner.string
          members.append((key, (text, token == .number ? scanner.number : .nan)))
        case .beginArray, .endArray, .null: break
        }
      }
    } catch {
      return nil
    }
    return scanner.isComplete ? objects : nil
  }
}

extension AuxiliarySample {
  /// Sets the field or text that a member of a list's object names; other members are ignored.
  fileprivate mutating func setMember(_ name: String, _ value: AuxiliaryCell.JSONMember) {
    guard let own = Self.members[channel]?[AuxiliaryCell.plainWord(name)] else { return }
    if let index = channel.fieldIndex(own) {
      let number = value.number.isNaN ? Double(value.text) ?? .nan : value.number
      if !number.isNaN { set(index, number) }
    } else if let index = channel.textIndex(own) {
      set(text: index, Self.words[own]?[AuxiliaryCell.plainWord(value.text)] ?? value.text)
    }
  }

  /// The fields and texts of members, by the names that collectors give them, in lower case without punctuation.
  private static let members: [AuxiliaryChannel: [String: String]] = {
    func names(_ pairs: KeyValuePairs<String, [String]>) -> [String: String] {
      var result: [String: String] = [:]
      for (own, others) in pairs { for name in others + [own.lowercased()] { result[name] = own } }
      return result
    }
    return [
      .bluetooth: names([
        "bluetoothName": ["name", "localname", "devicename"],
        "bluetoothIdentifier": ["identifier", "id", "uuid", "address", "mac", "macaddress"],
        "bluetoothRSSI": ["rssi"], "bluetoothTransmitPower": ["txpower", "txpowerlevel", "transmitpower"],
        "bluetoothConnection": ["state", "connection", "connectionstate", "status", "connected", "isconnected"],
        "bluetoothData": ["data", "manufacturerdata"],
      ]),
      .wifi: names([
        "wifiSSID": ["ssid", "name", "networkname"],
        "wifiBSSID": ["bssid", "identifier", "id", "address", "mac", "macaddress"],
        "wifiRSSI": ["rssi", "level"], "wifiFrequency": ["frequency"],
        "wifiCapabilities": ["capabilities", "security"],
        "wifiConnection": ["state", "connection", "connectionstate", "status", "connected", "isconnected"],
      ]),
      .nfc: names([
        "nfcType": ["type"], "nfcContent": ["payload", "content", "text", "uri", "url", "value"],
        "nfcLanguage": ["language", "locale"], "nfcTypeNameFormat": ["typenameformat", "tnf", "format"],
        "nfcIdentifier": ["identifier", "id"],
      ]),
    ]
  }()

  /// The words of texts that are also written as numbers or switches: CBPeripheralState and NFCTypeNameFormat.
  private static let words: [String: [String: String]] = {
    let connections = [
      "0": "disconnected", "1": "connecting", "2": "connected", "3": "disconnecting", "true": "connected",
      "false": "disconnected", "yes": "connected", "no": "disconnected",
    ]
    let formats = [
      "0": "empty", "1": "nfcWellKnown", "2": "media", "3": "absoluteURI", "4": "nfcExternal", "5": "unknown",
      "6": "unchanged",
    ]
    return ["bluetoothConnection": connections, "wifiConnection": connections, "nfcTypeNameFormat": formats]
  }()
}
