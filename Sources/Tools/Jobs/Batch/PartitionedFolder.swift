internal import InertialLogs
internal import InertialSystem

/// A folder of datasets in Hive's layout. The names of a log's folders, and its own name, become values of keys.
///
/// With the key `person` the log `ann/walk1.csv` becomes `person=ann/recording=walk1/data.parquet`. Spark, DuckDB,
/// polars and pyarrow read such a folder as one table with the columns `person` and `recording`.
package struct PartitionedFolder: Sendable, Equatable {
  /// The keys of the folders, outermost first.
  package let keys: [String]
  /// The key of the log's own name.
  package static let recordingKey = "recording"

  /// - Parameter text: Comma-separated keys, such as `person,session`; empty for logs in the folder itself.
  /// - Throws: ``FusionError`` if a key is not a plain name, is repeated, or is the name of a column.
  package init(_ text: String) throws(FusionError) {
    keys = text.split(separator: ",", omittingEmptySubsequences: text.isEmpty).map(String.init)
    let taken = Set((FusedColumn.all + FusedColumn.innovations).map(\.name) + [Self.recordingKey])
    for (index, key) in keys.enumerated() {
      let isName =
        key.first?.isLetter == true && key.utf8.allSatisfy { $0 < 0x80 }
        && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      guard isName else {
        throw .usage(
          "--partition: '\(key)' is not a key: use a letter, then letters, digits or _, as in person,session")
      }
      guard !taken.contains(key) else { throw .usage("--partition: '\(key)' is the name of a column; use another key") }
      guard !keys[..<index].contains(key) else { throw .usage("--partition: '\(key)' is listed twice") }
    }
  }

  /// Returns the path of a log's dataset, relative to the folder.
  ///
  /// - Parameter name: The path of the log, relative to the input folder.
  /// - Throws: ``FusionError`` if the number of the log's folders differs from the number of keys.
  package func place(of name: String, format: DatasetFormat) throws(FusionError) -> String {
    let parts = name.split(separator: "/").map(String.init)
    let folders = parts.dropLast()
    guard folders.count == keys.count, let last = parts.last else {
      throw .usage(
        "\(name) lies in \(folders.count) folder\(folders.count == 1 ? "" : "s") below the input, and --partition names "
          + "\(keys.count): list one key for each folder, outermost first")
    }
    let pairs =
      zip(keys, folders).map { ($0, $1) } + [(Self.recordingKey, DatasetMetadata.recordingName(of: last))]
    return pairs.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "/") + "/data." + format.fileExtension
  }

  /// Returns a value as Hive writes it into a path, with special characters as `%` and their hexadecimal code.
  static func escaped(_ value: String) -> String {
    let special = Set("\"#%'*/:=?\\{[]^\u{7F}".utf8)
    let bytes = value.utf8.flatMap { byte -> [UInt8] in
      guard byte < 0x20 || special.contains(byte) else { return [byte] }
      return Array(String(cFormat: "%%%02X", byte).utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name of the datasets' description. Readers of the folder ignore names that begin with `_`.
  package static let descriptionName = "_croissant.json"

  /// Writes a description of the tables, their columns and units as a dataset of Croissant 1.0 (mlcommons.org).
  ///
  /// - Throws: ``FusionError`` if the description cannot be written.
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

  func croissant(name: String, options: FusionOptions) -> JSONValue {
    let tables = JSONValue.object(["@id": .text("tables")])
    func field(_ name: String, _ meaning: String, _ type: String, _ source: [String: JSONValue]) -> JSONValue {
      .object([
        "@type": .text("cr:Field"), "@id": .text("rows/\(name)"), "name": .text(name), "description": .text(meaning),
        "dataType": .text(type), "source": .object(source.merging(["fileSet": tables]) { $1 }),
      ])
    }
    let partitions = (keys + [Self.recordingKey]).map { key in
      field(
        key, "from the path of the recording", "sc:Text",
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
    let own: [String: JSONValue] = [
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
  private static let context: JSONValue = {
    var context: [String: JSONValue] = [
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
