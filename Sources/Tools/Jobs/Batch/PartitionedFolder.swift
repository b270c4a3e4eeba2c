internal import InertialLogs
internal import InertialSystem

/// A folder of datasets in Hive's layout: the folders that a log lies in become keys with values, and so does its name.
///
/// With the key `person` the log `ann/walk1.csv` becomes `person=ann/recording=walk1/data.parquet`. Spark, DuckDB, polars
/// and pyarrow read such a folder as one table with the columns `person` and `recording`.
package struct PartitionedFolder: Sendable, Equatable {
  /// Of the folders, outermost first.
  package let keys: [String]
  /// The key of the log's own name.
  package static let recordingKey = "recording"

  /// - Parameter text: keys with commas between, such as `person,session`; empty for logs that all lie in the folder itself.
  /// - Throws: for a key that is no plain name, is there twice, or is the name of a column.
  package init(_ text: String) throws(FusionError) {
    keys = text.split(separator: ",", omittingEmptySubsequences: text.isEmpty).map(String.init)
    let taken = Set((FusedColumn.all + FusedColumn.innovations).map(\.name) + [Self.recordingKey])
    for (index, key) in keys.enumerated() {
      let isName =
        key.first?.isLetter == true && key.utf8.allSatisfy { $0 < 0x80 }
        && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      guard isName else {
        throw .usage("--partition: '\(key)' is no key: a letter, then letters, digits or _, as in person,session")
      }
      guard !taken.contains(key) else { throw .usage("--partition: '\(key)' is a column's name; give another key") }
      guard !keys[..<index].contains(key) else { throw .usage("--partition: '\(key)' is there twice") }
    }
  }

  /// Where a log's dataset goes below the folder.
  ///
  /// - Parameter name: the log's place below the folder that it was found in.
  /// - Throws: where the log lies in more or fewer folders than there are keys.
  package func place(of name: String, format: DatasetFormat) throws(FusionError) -> String {
    let parts = name.split(separator: "/").map(String.init)
    let folders = parts.dropLast()
    guard folders.count == keys.count, let last = parts.last else {
      throw .usage(
        "\(name) lies in \(folders.count) folder\(folders.count == 1 ? "" : "s") below the input, and --partition names "
          + "\(keys.count): give a key for each folder, outermost first")
    }
    let pairs =
      zip(keys, folders).map { ($0, $1) } + [(Self.recordingKey, DatasetMetadata.recordingName(of: last))]
    return pairs.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "/") + "/data." + format.fileExtension
  }

  /// A value as Hive writes it into a path: what has a meaning there as `%` and its code in hexadecimal digits.
  static func escaped(_ value: String) -> String {
    let special = Set("\"#%'*/:=?\\{[]^\u{7F}".utf8)
    let bytes = value.utf8.flatMap { byte -> [UInt8] in
      guard byte < 0x20 || special.contains(byte) else { return [byte] }
      return Array(String(cFormat: "%%%02X", byte).utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where the description of the datasets goes: readers of the folder pass over names that begin with `_`.
  package static let descriptionName = "_croissant.json"

  /// Writes what the folder holds as a dataset of Croissant 1.0 (mlcommons.org): its tables, their columns and units.
  ///
  /// - Throws: where it cannot be written.
  package func describe(_ folder: String, options: FusionOptions) throws(FusionError) {
    do throws(OutputError) {
      let file = try AtomicFile(path: folder + "/" + Self.descriptionName, force: true)
      try file.write(croissant(name: Self.name(of: folder), options: options).text)
      try file.commit()
    } catch {
      throw FusionError(error)
    }
  }

  private static func name(of folder: String) -> String {
    folder.split(separator: "/").last { $0 != "." && $0 != ".." }.map(String.init) ?? "recordings"
  }

  func croissant(name: String, options: FusionOptions) -> JSONFact {
    let tables = JSONFact.object(["@id": .text("tables")])
    func field(_ name: String, _ meaning: String, _ type: String, _ source: [String: JSONFact]) -> JSONFact {
      .object([
        "@type": .text("cr:Field"), "@id": .text("rows/\(name)"), "name": .text(name), "description": .text(meaning),
        "dataType": .text(type), "source": .object(source.merging(["fileSet": tables]) { $1 }),
      ])
    }
    let partitions = (keys + [Self.recordingKey]).map { key in
      field(
        key, "by the recording's place", "sc:Text",
        [
          "extract": .object(["fileProperty": .text("fullpath")]),
          "transform": .object(["regex": .text("(?:.*/)?\(key)=([^/]*)/")]),
        ])
    }
    let columns = (options.motionColumns + options.recognisedColumns).map { column in
      field(
        column.name, column.unit == "1" ? column.meaning : "\(column.meaning); \(column.unit)",
        FusedColumn.wholeNames.contains(column.name) ? "sc:Integer" : "sc:Float",
        ["extract": .object(["column": .text(column.name)])])
    }
    let pattern = (keys + [Self.recordingKey]).map { $0 + "=*" }.joined(separator: "/") + "/data.parquet"
    let own: [String: JSONFact] = [
      "@context": Self.context, "@type": .text("sc:Dataset"), "name": .text(name),
      "description": .text(
        "Inertial recordings, fused by \(DatasetMetadata.generator). \(DatasetMetadata.conventions)"),
      "conformsTo": .text("http://mlcommons.org/croissant/1.0"),
      "distribution": .list([
        .object([
          "@type": .text("cr:FileSet"), "@id": .text("tables"), "name": .text("tables"), "includes": .text(pattern),
          "encodingFormat": .text("application/x-parquet"),
        ])
      ]),
      "recordSet": .list([
        .object([
          "@type": .text("cr:RecordSet"), "@id": .text("rows"), "name": .text("rows"),
          "field": .list(partitions + columns),
        ])
      ]),
    ]
    return .object(own.merging(options.about?.croissantMembers ?? [:]) { $1 })
  }

  /// The context that Croissant 1.0 prescribes, appendix 1.
  private static let context: JSONFact = {
    var context: [String: JSONFact] = [
      "@language": .text("en"), "@vocab": .text("https://schema.org/"), "conformsTo": .text("dct:conformsTo"),
      "cr": .text("http://mlcommons.org/croissant/"), "rai": .text("http://mlcommons.org/croissant/RAI/"),
      "dct": .text("http://purl.org/dc/terms/"), "sc": .text("https://schema.org/"),
    ]
    for word in [
      "citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject", "fileSet", "format",
      "includes",
      "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated",
      "replace", "samplingRate", "separator", "source", "subField", "transform",
    ] {
      context[word] = .text("cr:" + word)
    }
    for (word, type) in [("data", "@json"), ("examples", "@json"), ("dataType", "@vocab")] {
      context[word] = .object(["@id": .text("cr:" + word), "@type": .text(type)])
    }
    return .object(context)
  }()
}
