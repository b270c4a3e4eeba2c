/// The version of this toolkit, which datasets carry.
package enum ToolVersion {
  package static let current = "0.9.0"
}
