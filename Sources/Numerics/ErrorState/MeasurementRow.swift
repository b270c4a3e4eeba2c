/// One scalar measurement of the errors e: residual = h·e + n, equation (9) of docs/theory/error-state.md.
public struct MeasurementRow: Sendable {
  /// The derivative by up to three consecutive errors.
  struct Entry: Sendable {
    private var first: UInt8 = 0
    private var size: UInt8 = 0
    let derivative: Vector3

    init(start: Int = 0, count: Int = 0, derivative: Vector3 = .zero) {
      (first, size, self.derivative) = (UInt8(start), UInt8(count), derivative)
    }

    var start: Int { Int(first) }
    var count: Int { Int(size) }
  }

  /// The measured value minus the value predicted from the state at the epoch's start of corrections.
  public var residual: Double
  /// The variance r of the noise n. A negative variance, the reciprocal of a negative information, removes information:
  /// equation (13).
  public var variance: Double
  private(set) var entries = InlineArray<6, Entry>(repeating: Entry())
  private(set) var count = 0

  /// Creates a row with h = 0.
  public init(residual: Double, variance: Double) {
    self.residual = residual
    self.variance = variance
  }

  /// Adds the derivative of the measurement by a block of three errors to h; at most six derivatives in all.
  public mutating func add(_ derivative: Vector3, of block: ErrorLayout.Block) {
    precondition(block.count == 3, "a vector is the derivative by three errors, not \(block.count)")
    entries[count] = Entry(start: block.start, count: 3, derivative: derivative)
    count += 1
  }

  /// Adds the derivative of the measurement by one error to h; at most six derivatives in all.
  public mutating func add(_ derivative: Double, at index: Int) {
    entries[count] = Entry(start: index, count: 1, derivative: Vector3(derivative, 0, 0))
    count += 1
  }
}

extension MeasurementRow.Entry {
  /// Calls a function with each measured error's index and the derivative by it.
  @inline(__always)
  func forEach(_ body: (Int, Double) -> Void) {
    body(start, derivative.x)
    guard count == 3 else { return }
    body(start + 1, derivative.y)
    body(start + 2, derivative.z)
  }
}
