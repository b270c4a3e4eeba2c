extension LogFormat {
  /// Creates a format of tables that `CSVLogReader` reads.
  ///
  /// - Parameter dialect: The function that returns the dialect of a file, or `nil` if the file is read like any other
  ///   table. It may change the options, and is not called if they name the columns.
  init(
    id: String, title: String, recognition: String, units: String,
    recognizes: @escaping @Sendable (LogCandidate) -> Bool,
    dialect: @escaping @Sendable (LogCandidate, inout LogOptions) throws(LogError) -> CSVDialect?
  ) {
    self.init(
      id: id, title: title, recognition: recognition, units: units, recognizes: recognizes,
      open: { path, options throws(LogError) in
        var options = options
        guard options.columns == nil, let dialect = try dialect(LogCandidate(path: path), &options) else {
          return try CSVLogReader(path: path, options: options)
        }
        return try CSVLogReader(path: path, options: options, dialect: dialect)
      })
  }
}
