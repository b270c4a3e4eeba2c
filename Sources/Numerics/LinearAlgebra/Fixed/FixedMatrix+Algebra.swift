extension FixedMatrix {
  /// Returns the sum.
  @inlinable
  public static func + (a: FixedMatrix, b: FixedMatrix) -> FixedMatrix { a.adding(b, scaledBy: 1) }

  /// Returns the difference.
  @inlinable
  public static func - (a: FixedMatrix, b: FixedMatrix) -> FixedMatrix { a.adding(b, scaledBy: -1) }

  /// Returns the matrix with all elements multiplied by a number.
  @inlinable
  public static func * (s: Double, a: FixedMatrix) -> FixedMatrix { FixedMatrix().adding(a, scaledBy: s) }

  /// Returns self + scale · other.
  @inlinable
  public func adding(_ other: FixedMatrix, scaledBy scale: Double) -> FixedMatrix {
    var result = self
    for row in 0..<Rows {
      var line = rows[row]
      for column in 0..<Columns { line[column] += scale * other.rows[row][column] }
      result.rows[row] = line
    }
    return result
  }

  /// Returns the product a b.
  @inlinable
  public static func * <let Inner: Int>(
    a: FixedMatrix<Rows, Inner>, b: FixedMatrix<Inner, Columns>
  ) -> FixedMatrix {
    var result = FixedMatrix()
    for row in 0..<Rows {
      var line = InlineArray<Columns, Double>(repeating: 0)
      for inner in 0..<Inner {
        let factor = a.rows[row][inner]
        for column in 0..<Columns { line[column] += factor * b.rows[inner][column] }
      }
      result.rows[row] = line
    }
    return result
  }

  /// Returns the product self bᵀ without forming a transpose.
  @inlinable
  public func timesTranspose<let Others: Int>(
    _ b: FixedMatrix<Others, Columns>
  ) -> FixedMatrix<Rows, Others> {
    var result = FixedMatrix<Rows, Others>()
    for row in 0..<Rows {
      var line = InlineArray<Others, Double>(repeating: 0)
      for other in 0..<Others {
        var sum = 0.0
        for inner in 0..<Columns { sum += rows[row][inner] * b.rows[other][inner] }
        line[other] = sum
      }
      result.rows[row] = line
    }
    return result
  }

  /// Returns the product selfᵀ b without forming a transpose.
  @inlinable
  public func transposeTimes<let Others: Int>(
    _ b: FixedMatrix<Rows, Others>
  ) -> FixedMatrix<Columns, Others> {
    var result = FixedMatrix<Columns, Others>()
    for row in 0..<Columns {
      var line = InlineArray<Others, Double>(repeating: 0)
      for inner in 0..<Rows {
        let factor = rows[inner][row]
        for column in 0..<Others { line[column] += factor * b.rows[inner][column] }
      }
      result.rows[row] = line
    }
    return result
  }

  /// Returns the product a v.
  @inlinable
  public static func * (a: FixedMatrix, v: FixedVector<Columns>) -> FixedVector<Rows> {
    var result = InlineArray<Rows, Double>(repeating: 0)
    for row in 0..<Rows {
      var sum = 0.0
      for column in 0..<Columns { sum += a.rows[row][column] * v.elements[column] }
      result[row] = sum
    }
    var vector = FixedVector<Rows>()
    vector.elements = result
    return vector
  }

  /// Returns self + scale · u vᵀ.
  @inlinable
  public func addingOuter(
    _ u: FixedVector<Rows>, _ v: FixedVector<Columns>, scaledBy scale: Double
  ) -> FixedMatrix {
    var result = self
    for row in 0..<Rows {
      var line = rows[row]
      let factor = scale * u.elements[row]
      for column in 0..<Columns { line[column] += factor * v.elements[column] }
      result.rows[row] = line
    }
    return result
  }
}
