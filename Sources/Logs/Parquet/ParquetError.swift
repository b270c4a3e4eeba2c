/// The reason why a Parquet file cannot be read.
package enum ParquetError: Error, Equatable {
  /// The bytes violate the format; with the problem.
  case damaged(String)
  /// The file is valid, but contains an unsupported feature; with its name.
  case unsupported(String)
}
