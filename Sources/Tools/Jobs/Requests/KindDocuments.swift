package import InertialFilters
package import InertialLogs
package import InertialRecognition
package import InertialSystem

extension FilterKind {
  /// The filter with its inputs and outputs (`traits`), its parameters, and the names of the literature, which can be
  /// set as well: an object of the document of `inertial filters --json`.
  package var document: EncodedObject {
    EncodedObject([
      "name": name, "summary": summary, "source": source, "isStandard": name == Self.standard.name,
      "traits": traits.words,
      "parameters": parameters, "classicalNames": classicalNames,
    ])
  }
}

extension LogFormat {
  /// Returns the formats with the given names; all if there are none.
  ///
  /// - Throws: ``FusionError`` if a name is unknown.
  package static func known(_ names: [String]) throws(FusionError) -> [LogFormat] {
    guard !names.isEmpty else { return all }
    return try names.map { (name) throws(FusionError) in
      guard let format = LogFormat(id: name) else {
        throw .usage("there is no format '\(name)'; there are \(all.map(\.id).joined(separator: ", "))")
      }
      return format
    }
  }

  /// The format as an object of the document of `inertial formats --json`.
  package var document: EncodedObject {
    EncodedObject([
      "name": id, "title": title, "kind": isFolder ? "folder" : "file", "recognition": recognition, "units": units,
    ])
  }
}

extension ShakeDetectorKind {
  /// The detector with its parameters, as an object of the document of `inertial shake --rules --json`.
  package var document: EncodedObject {
    EncodedObject([
      "name": name, "summary": summary, "source": source, "isOneShot": isOneShot, "parameters": parameters,
    ])
  }
}
