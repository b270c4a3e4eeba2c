/// The version of this toolkit, which datasets carry.
public enum ToolVersion {
  public static let current = "0.9.0"
}
