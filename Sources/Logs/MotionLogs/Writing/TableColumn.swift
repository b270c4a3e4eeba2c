/// A column of a table of numbers, as formats with metadata describe it.
package struct TableColumn: Sendable {
  package var name: String
  /// The unit, such as `rad/s`; "1" for numbers without a unit.
  package var unit: String
  package var meaning: String
  /// Whether the column has whole numbers only.
  package var isWhole: Bool

  package init(name: String, unit: String = "1", meaning: String = "", isWhole: Bool = false) {
    (self.name, self.unit, self.meaning, self.isWhole) = (name, unit, meaning, isWhole)
  }
}
