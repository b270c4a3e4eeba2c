/// A column of a Parquet file to be written.
package struct ParquetColumn: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case double
    /// Whole numbers of 32 bits.
    case integer
    /// A list of `width` numbers in every row.
    case list(width: Int)
  }

  package var name: String
  package var kind: Kind
  /// Whether each row has a value; otherwise NaN is null.
  package var isRequired: Bool
  /// The metadata of the column, such as its unit.
  package var facts: [(name: String, text: String)]

  package init(
    name: String, kind: Kind = .double, isRequired: Bool = false, facts: [(name: String, text: String)] = []
  ) {
    (self.name, self.kind, self.isRequired, self.facts) = (name, kind, isRequired, facts)
  }

  package static func == (a: ParquetColumn, b: ParquetColumn) -> Bool {
    a.name == b.name && a.kind == b.kind && a.isRequired == b.isRequired
      && a.facts.elementsEqual(b.facts) { $0 == $1 }
  }

  /// The number of values of the column in a row.
  package var width: Int { if case .list(let width) = kind { width } else { 1 } }

  var path: [String] { if case .list = kind { [name, "list", "element"] } else { [name] } }

  var physical: ParquetFormat.Physical { kind == .integer ? .int32 : .double }

  var encoding: ParquetFormat.Encoding { kind == .integer ? .plain : .byteStreamSplit }

  /// Appends the schema elements of the column (`LogicalTypes.md`: a list has three levels).
  func describe(_ schema: inout [ParquetSchemaElement]) {
    let repetition: ParquetFormat.Repetition = isRequired ? .required : .optional
    if case .list = kind {
      schema += [
        .init(name: name, repetition: repetition, children: 1, isList: true),
        .init(name: "list", repetition: .repeated, children: 1),
        .init(name: "element", physical: .double, repetition: .required),
      ]
    } else {
      schema.append(.init(name: name, physical: physical, repetition: repetition))
    }
  }
}

/// An element of a schema, in depth-first order (`parquet.thrift`: SchemaElement).
struct ParquetSchemaElement {
  var name: String
  var physical: ParquetFormat.Physical?
  var repetition: ParquetFormat.Repetition?
  var children = 0
  var isList = false
}
