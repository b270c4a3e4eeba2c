internal import InertialEssentials

/// What only the owner of a dataset knows: who made it, and what others may do with it.
///
/// It goes into the description of a BIDS dataset and into the Croissant sidecar of a partitioned folder, whose validators
/// ask for it. Nothing of it is guessed: what is not given is not there.
package struct DatasetAbout: Sendable, Codable, Equatable {
  /// What the dataset is called; nil: as the log or the folder.
  package var name: String?
  /// Persons.
  package var authors: [String]?
  /// Such as `CC-BY-4.0`, or an address.
  package var license: String?
  /// How it is to be cited.
  package var citation: String?
  /// The day of its publication, `2026-11-23`.
  package var date: String?
  /// Of the dataset, such as `1.0.0`.
  package var version: String?
  /// Where it is to be had.
  package var url: String?
  /// Addresses of the datasets that it was made of.
  package var sources: [String]?
  /// Further members of a BIDS dataset's description, such as `HEDVersion`.
  package var bids: [String: String]?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, authors, license, citation, date, version, url, sources, bids
  }

  /// The facts of a document of JSON.
  ///
  /// - Parameter name: of the file, for messages.
  /// - Throws: where it is none, has a member that means nothing here, or a day that is none.
  package init(json: [UInt8], name: String) throws(FusionError) {
    let known = CodingKeys.allCases.map(\.rawValue)
    guard case .object(let members)? = try? FusionManifest.decoder.decode(JSONFact.self, from: Data(json)) else {
      throw .badData(
        "\(name): is no object of JSON; give one with some of the members \(known.joined(separator: ", "))")
    }
    if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw .badData("\(name): there is no '\(other)' to tell of a dataset; there are \(known.joined(separator: ", "))")
    }
    do {
      self = try FusionManifest.decoder.decode(Self.self, from: Data(json))
    } catch {
      throw .badData(
        "\(name): authors and sources are lists of texts, bids has texts as its members, and all others are texts")
    }
    let isDay = date.map { $0.isWritten(as: "dddd-dd-dd") } ?? true
    guard isDay else { throw .badData("\(name): date is a day such as 2026-11-23, not '\(date ?? "")'") }
  }

  /// Members of a BIDS dataset's description (BIDS 1.9, `dataset_description.json`).
  var bidsMembers: [String: JSONFact] {
    var members: [String: JSONFact] = (bids ?? [:]).mapValues(JSONFact.text)
    members["Name"] = name.map(JSONFact.text)
    members["Authors"] = authors.map { .list($0.map(JSONFact.text)) }
    members["License"] = license.map(JSONFact.text)
    members["HowToAcknowledge"] = citation.map(JSONFact.text)
    members["SourceDatasets"] = sources.map { .list($0.map { .object(["URL": .text($0)]) }) }
    return members
  }

  /// Members of a Croissant dataset (Croissant 1.0, "Dataset-level information").
  var croissantMembers: [String: JSONFact] {
    var members: [String: JSONFact] = [:]
    members["name"] = name.map(JSONFact.text)
    members["creator"] = authors.map { .list($0.map { .object(["@type": .text("sc:Person"), "name": .text($0)]) }) }
    members["license"] = license.map(JSONFact.text)
    members["citeAs"] = citation.map(JSONFact.text)
    members["datePublished"] = date.map(JSONFact.text)
    members["version"] = version.map(JSONFact.text)
    members["url"] = url.map(JSONFact.text)
    return members
  }
}

extension String {
  /// Whether a text is as a pattern, in which `d` stands for a digit.
  fileprivate func isWritten(as pattern: String) -> Bool {
    utf8.count == pattern.utf8.count
      && zip(utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "d") ? (0x30...0x39).contains($0) : $0 == $1 }
  }
}
