/// A name in a JSON document whose names have units, such as `bias_g`.
struct DocumentKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
