internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// A JSON value. Numbers that JSON does not support, such as infinity, are strings.
enum JSONValue: Codable, Sendable {
  case text(String)
  case number(Double)
  case count(Int)
  case flag(Bool)
  case list([JSONValue])
  case object([String: JSONValue])

  init(_ value: HDF5Attribute.Value) {
    self =
      switch value {
      case .number(let number): .number(number)
      case .text(let text): .text(text)
      case .texts(let texts): .list(texts.map(JSONValue.text))
      }
  }

  /// Creates the JSON form of a value, without members that are `nil`.
  init(encoding value: some Encodable) {
    guard let data = try? FusionManifest.encoder.encode(value),
      let fact = try? FusionManifest.decoder.decode(JSONValue.self, from: data)
    else { preconditionFailure("\(type(of: value)) can be JSON") }
    self = fact
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Booleans are decoded before numbers, as some decoders read true as 1.
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else if let members = try? container.decode([String: JSONValue?].self) {
      self = .object(members.compactMapValues { $0 })
    } else {
      self = .list([])
    }
  }

  /// Returns all values by their path, such as `motion.frame`. A list is one value with commas; empty lists are
  /// omitted.
  func leaves() -> [String: String] {
    var leaves: [String: String] = [:]
    add(to: &leaves, at: "")
    return leaves
  }

  private func add(to leaves: inout [String: String], at path: String) {
    switch self {
    case .object(let members):
      for (name, member) in members { member.add(to: &leaves, at: path.isEmpty ? name : "\(path).\(name)") }
    case .list(let list) where list.isEmpty: break
    case .list(let list): leaves[path] = list.map(\.leaf).joined(separator: ",")
    default: leaves[path] = leaf
    }
  }

  /// The value as a string; integers have no decimals.
  private var leaf: String {
    switch self {
    case .text(let text): text
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .count(let count): "\(count)"
    case .flag(let flag): "\(flag)"
    case .list, .object: text
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .count(let count): try container.encode(count)
    case .flag(let flag): try container.encode(flag)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    }
  }

  /// The value as JSON text with sorted keys and a line end.
  var text: String {
    let encoder = FusionManifest.encoder
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("texts and numbers can be JSON") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
