internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// A value of JSON. What is no number there, such as infinity, is a text.
enum JSONFact: Codable, Sendable {
  case text(String)
  case number(Double)
  case count(Int)
  case flag(Bool)
  case list([JSONFact])
  case object([String: JSONFact])

  init(_ value: HDF5Attribute.Value) {
    self =
      switch value {
      case .number(let number): .number(number)
      case .text(let text): .text(text)
      case .texts(let texts): .list(texts.map(JSONFact.text))
      }
  }

  /// What a value is as JSON; members that are nil are left out.
  init(encoding value: some Encodable) {
    guard let data = try? FusionManifest.encoder.encode(value),
      let fact = try? FusionManifest.decoder.decode(JSONFact.self, from: data)
    else { preconditionFailure("\(type(of: value)) can be JSON") }
    self = fact
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // A boolean before a number, as some decoders read true as 1.
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONFact].self) {
      self = .list(list)
    } else if let members = try? container.decode([String: JSONFact?].self) {
      self = .object(members.compactMapValues { $0 })
    } else {
      self = .list([])
    }
  }

  /// Every value by its place, `motion.frame`; a list is one, of its values with commas between. Empty lists are left out.
  func leaves() -> [String: String] {
    var leaves: [String: String] = [:]
    add(to: &leaves, at: "")
    return leaves
  }

  private func add(to leaves: inout [String: String], at place: String) {
    switch self {
    case .object(let members):
      for (name, member) in members { member.add(to: &leaves, at: place.isEmpty ? name : "\(place).\(name)") }
    case .list(let list) where list.isEmpty: break
    case .list(let list): leaves[place] = list.map(\.leaf).joined(separator: ",")
    default: leaves[place] = leaf
    }
  }

  /// A value in one word, without the decimals of what has none.
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

  /// With sorted keys, and a line end behind it.
  var text: String {
    let encoder = FusionManifest.encoder
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("texts and numbers can be JSON") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
