internal import InertialEssentials
internal import InertialSystem

/// An object in a JSON request, whose members are taken one by one.
///
/// Messages quote a member by its path in the request, such as 'options.log.sampleRate', from which an interface finds
/// its own name for the member.
struct RequestObject {
  private(set) var members: [String: JSONValue]
  private let path: String
  /// The names of the members that have been requested.
  private var known: [String] = []

  /// Creates an object from a JSON value.
  ///
  /// - Parameter path: The path of the value in the request; empty for the request itself.
  /// - Throws: ``FusionError`` if the value is not an object.
  init(_ value: JSONValue, at path: String = "") throws(FusionError) {
    guard case .object(let members) = value else {
      throw .usage("\(path.isEmpty ? "a request" : "'\(path)'") takes a JSON object")
    }
    (self.members, self.path) = (members, path)
  }

  /// Creates the object of a request in JSON.
  ///
  /// - Throws: ``FusionError`` if the text is not a JSON object.
  init(json: String) throws(FusionError) {
    guard let value = try? FusionManifest.decoder.decode(JSONValue.self, from: Data(json.utf8)) else {
      throw .usage("the request is not JSON")
    }
    try self.init(value)
  }

  /// Returns the path of a member in the request.
  func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// Returns the error of a member with an invalid value.
  func invalid(_ name: String, takes expected: String, not value: String? = nil) -> FusionError {
    .usage("'\(path(of: name))' takes \(expected)" + (value.map { ", not '\($0)'" } ?? ""))
  }

  /// Whether the object has a member that is not `null`.
  func has(_ name: String) -> Bool { members[name] != nil }

  /// - Throws: ``FusionError`` if the object has a member that was not requested.
  func finish() throws(FusionError) {
    guard let other = members.keys.min() else { return }
    throw .usage("there is no member '\(path(of: other))'; there are \(known.joined(separator: ", "))")
  }

  /// Removes and returns a member, or returns `nil` if it is missing or `null`.
  mutating func take(_ name: String) -> JSONValue? {
    known.append(name)
    return members.removeValue(forKey: name)
  }

  mutating func flag(_ name: String) throws(FusionError) -> Bool? {
    guard let value = take(name) else { return nil }
    guard case .flag(let flag) = value else { throw invalid(name, takes: "true or false") }
    return flag
  }

  mutating func number(_ name: String) throws(FusionError) -> Double? {
    guard let value = take(name) else { return nil }
    guard case .number(let number) = value else { throw invalid(name, takes: "a number") }
    return number
  }

  /// Returns a list of numbers; a single number is a list of one.
  mutating func numbers(_ name: String) throws(FusionError) -> [Double]? {
    guard let value = take(name) else { return nil }
    let values = if case .list(let values) = value { values } else { [value] }
    return try values.map { (value) throws(FusionError) in
      guard case .number(let number) = value else { throw invalid(name, takes: "a list of numbers") }
      return number
    }
  }

  /// Returns a positive number of seconds.
  mutating func duration(_ name: String) throws(FusionError) -> Double? {
    guard let seconds = try number(name) else { return nil }
    guard seconds > 0, seconds.isFinite else { throw invalid(name, takes: "seconds above 0", not: "\(seconds)") }
    return seconds
  }

  mutating func integer(_ name: String) throws(FusionError) -> Int? {
    guard let number = try number(name) else { return nil }
    guard let integer = Int(exactly: number) else { throw invalid(name, takes: "an integer", not: "\(number)") }
    return integer
  }

  mutating func text(_ name: String) throws(FusionError) -> String? {
    guard let value = take(name) else { return nil }
    guard case .text(let text) = value, !text.utf8.contains(0) else {
      throw invalid(name, takes: "a string without NUL characters")
    }
    return text
  }

  /// Returns a list of strings; a single string is a list of one.
  mutating func texts(_ name: String) throws(FusionError) -> [String]? {
    guard let value = take(name) else { return nil }
    let values = if case .list(let values) = value { values } else { [value] }
    return try values.map { (value) throws(FusionError) in
      guard case .text(let text) = value, !text.utf8.contains(0) else {
        throw invalid(name, takes: "a list of strings without NUL characters")
      }
      return text
    }
  }

  /// Returns a list of names; a single string contains names separated by commas.
  mutating func names(_ name: String) throws(FusionError) -> [String]? {
    let isText = if case .text? = members[name] { true } else { false }
    return try texts(name).map { isText ? commaSeparated($0[0]) : $0 }
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(FusionError) -> Choice? {
    try value(name, Choice.init(rawValue:), takes: Choice.allCases.map(\.rawValue).joined(separator: ", "))
  }

  /// Returns the value that a string represents.
  ///
  /// - Parameters:
  ///   - parse: A closure that returns the value of a string, or `nil` if the string is invalid.
  ///   - expected: The valid strings, for the message.
  mutating func value<Value>(
    _ name: String, _ parse: (String) -> Value?, takes expected: String
  ) throws(FusionError) -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = parse(text) else { throw invalid(name, takes: expected, not: text) }
    return value
  }

  mutating func object(_ name: String) throws(FusionError) -> RequestObject? {
    guard let value = take(name) else { return nil }
    return try RequestObject(value, at: path(of: name))
  }

  /// Returns the value of this object; members that it does not have keep their values in `standard`.
  func decoded<Value: Codable>(over standard: Value) throws(FusionError) -> Value {
    try JSONValue(encoding: standard).overlaid(by: .object(members), at: path).decoded(at: path)
  }
}

extension JSONValue {
  /// Returns the Swift value of this JSON value.
  ///
  /// - Parameter path: The path of the value in the request, for messages.
  func decoded<Value: Decodable>(at path: String) throws(FusionError) -> Value {
    do {
      return try FusionManifest.decoder.decode(Value.self, from: try FusionManifest.encoder.encode(self))
    } catch {
      let context: DecodingError.Context? =
        switch error as? DecodingError {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
          .valueNotFound(_, let context):
          context
        default: nil
        }
      let place = ([path] + (context?.codingPath ?? []).map(\.stringValue)).joined(separator: ".")
      throw .usage("'\(place)' has an invalid value: \(context?.debugDescription ?? "\(error)")")
    }
  }

  /// Returns this value with members replaced by those of another object, which has no others.
  fileprivate func overlaid(by other: JSONValue, at path: String) throws(FusionError) -> JSONValue {
    guard case .object(var members) = self, case .object(let others) = other else { return other }
    for (name, value) in others.sorted(by: { $0.key < $1.key }) {
      guard let member = members[name] else {
        throw .usage("there is no member '\(path).\(name)'; there are \(members.keys.sorted().joined(separator: ", "))")
      }
      members[name] = try member.overlaid(by: value, at: "\(path).\(name)")
    }
    return .object(members)
  }
}

/// Returns the parts of `a,b, c`, without surrounding blanks.
package func commaSeparated(_ text: String) -> [String] {
  text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed { $0 == " " || $0 == "\t" } }
}
