/// The layout of an error state: named blocks of consecutive components, at most 32 components in all.
///
/// A filter defines its blocks once; all other types of the engine refer to errors by their blocks.
public struct ErrorLayout: Sendable, Hashable {
  /// The maximum number of components of an error state.
  public static let maximumCount = 32

  /// The number of components.
  public private(set) var count = 0

  /// Creates a layout without blocks.
  public init() {}

  /// Consecutive components of an error state.
  public struct Block: Sendable, Hashable {
    /// The index of the first component.
    public let start: Int
    /// The number of components.
    public let count: Int

    /// Creates a block of a layout; `ErrorLayout.add` creates the next one.
    public init(start: Int, count: Int) { (self.start, self.count) = (start, count) }

    /// The indices of the components.
    public var indices: Range<Int> { start..<start + count }

    /// The components with these numbers within the block, for example 3..<6 for the second column of a matrix that is
    /// stored column by column.
    public subscript(components: Range<Int>) -> Block {
      precondition(components.lowerBound >= 0 && components.upperBound <= count, "\(components) of \(count) components")
      return Block(start: start + components.lowerBound, count: components.count)
    }
  }

  /// Appends a block and returns it.
  ///
  /// - Parameter count: The number of components, usually 1, 2, 3 or 9.
  public mutating func add(_ count: Int = 3) -> Block {
    precondition(count > 0 && self.count + count <= Self.maximumCount, "an error state has at most 32 components")
    defer { self.count += count }
    return Block(start: self.count, count: count)
  }
}

/// One number for each component of an error state: a correction.
public struct ErrorValues: Sendable {
  private var numbers = InlineArray<32, Double>(repeating: 0)

  /// Creates zeros.
  public init() {}

  /// The number of a component.
  public subscript(index: Int) -> Double {
    get { numbers[index] }
    set { numbers[index] = newValue }
  }

  /// The numbers of a block with three components.
  public subscript(block: ErrorLayout.Block) -> Vector3 {
    get {
      precondition(block.count == 3, "three values of a block of \(block.count) components")
      return Vector3(numbers[block.start], numbers[block.start + 1], numbers[block.start + 2])
    }
    set {
      precondition(block.count == 3, "three values of a block of \(block.count) components")
      for axis in 0..<3 { numbers[block.start + axis] = newValue[axis] }
    }
  }
}

extension ErrorValues: Codable {
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    for index in 0..<32 { numbers[index] = try values.decode(Double.self) }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    for index in 0..<32 { try values.encode(numbers[index]) }
  }
}
