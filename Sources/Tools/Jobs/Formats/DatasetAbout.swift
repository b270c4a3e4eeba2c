internal import InertialEssentials

/// The facts that only the owner of a dataset knows, such as its authors and license.
///
/// They are part of the description of a BIDS dataset and of the Croissant description of a partitioned folder, whose
/// validators require them. Missing facts are omitted.
package struct DatasetAbout: Sendable, Codable, Equatable {
  /// The name of the dataset, or `nil` for the name of the log or folder.
  package var name: String?
  /// The names of the authors.
  package var authors: [String]?
  /// The license, such as `CC-BY-4.0` or a URL.
  package var license: String?
  /// The preferred citation.
  package var citation: String?
  /// The day of publication, such as `2026-11-23`.
  package var date: String?
  /// The version of the dataset, such as `1.0.0`.
  package var version: String?
  /// The URL of the dataset.
  package var url: String?
  /// The URLs of the source datasets.
  package var sources: [String]?
  /// Additional members of a BIDS dataset's description, such as `HEDVersion`.
  package var bids: [String: String]?

  /// The names of the JSON members.
  private static let memberNames = [
    "name", "authors", "license", "citation", "date", "version", "url", "sources", "bids",
  ]

  /// Decodes the facts from a JSON document.
  ///
  /// - Parameter name: The name of the file, for messages.
  /// - Throws: ``FusionError`` if the document is invalid, has an unknown member or has an invalid date.
  package init(json: [UInt8], name: String) throws(FusionError) {
    let known = Self.memberNames
    guard case .object(let members)? = try? FusionManifest.decoder.decode(JSONValue.self, from: Data(json)) else {
      throw .badData("\(name): is not a JSON object; use an object with members among \(known.joined(separator: ", "))")
    }
    if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw .badData("\(name): unknown member '\(other)'; use \(known.joined(separator: ", "))")
    }
    do {
      self = try FusionManifest.decoder.decode(Self.self, from: Data(json))
    } catch {
      throw .badData(
        "\(name): authors and sources must be lists of strings, bids an object of strings, and all other members strings"
      )
    }
    let isDay = date.map { $0.isWritten(as: "dddd-dd-dd") } ?? true
    guard isDay else { throw .badData("\(name): the date '\(date ?? "")' is not valid; use a day such as 2026-11-23") }
  }

  /// The members of a BIDS dataset's description (BIDS 1.9, `dataset_description.json`).
  var bidsMembers: [String: JSONValue] {
    var members: [String: JSONValue] = (bids ?? [:]).mapValues(JSONValue.text)
    members["Name"] = name.map(JSONValue.text)
    members["Authors"] = authors.map { .list($0.map(JSONValue.text)) }
    members["License"] = license.map(JSONValue.text)
    members["HowToAcknowledge"] = citation.map(JSONValue.text)
    members["SourceDatasets"] = sources.map { .list($0.map { .object(["URL": .text($0)]) }) }
    return members
  }

  /// The members of a Croissant dataset (Croissant 1.0, "Dataset-level information").
  var croissantMembers: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members["name"] = name.map(JSONValue.text)
    members["creator"] = authors.map { .list($0.map { .object(["@type": .text("sc:Person"), "name": .text($0)]) }) }
    members["license"] = license.map(JSONValue.text)
    members["citeAs"] = citation.map(JSONValue.text)
    members["datePublished"] = date.map(JSONValue.text)
    members["version"] = version.map(JSONValue.text)
    members["url"] = url.map(JSONValue.text)
    return members
  }
}

extension String {
  /// Returns whether the string matches a pattern in which `d` stands for a digit.
  fileprivate func isWritten(as pattern: String) -> Bool {
    utf8.count == pattern.utf8.count
      && zip(utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "d") ? (0x30...0x39).contains($0) : $0 == $1 }
  }
}
