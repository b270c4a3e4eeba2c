internal import InertialNumerics

/// Three rows of a window's cells, x, y and z, the oldest first; the first `capacity - count` cells of each row are
/// 0.
///
/// Four cells are processed at a time, since the window takes most of the detector's time.
struct WindowRows {
  typealias Cells = SIMD4<Double>

  let count: Int
  private let x: UnsafeRawPointer
  private let y: UnsafeRawPointer
  private let z: UnsafeRawPointer

  static let blockCount = MotionWindow.capacity / 4
  /// The number of cells of the most recent part, and of the part that a shake fills if it is detected soon after its
  /// start.
  private static let recent = 8
  private static let onset = 12

  init(_ values: UnsafeBufferPointer<Double>, at position: Int, rowLength: Int, count: Int) {
    precondition(values.count >= position + 2 * rowLength + MotionWindow.capacity, "a window within its rows")
    let base = UnsafeRawPointer(values.baseAddress! + position)
    let stride = rowLength * MemoryLayout<Double>.stride
    (x, y, z) = (base, base + stride, base + 2 * stride)
    self.count = count
  }

  /// The sums of products about the mean, and the mean squares of the recent parts about the same mean.
  struct Moments {
    var mean = Vector3.zero
    var (xx, xy, xz, yy, yz, zz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var recent = 0.0
    var onset = 0.0
  }

  /// The mean of the cells.
  var mean: Vector3 {
    var (sx, sy, sz) = (Cells.zero, Cells.zero, Cells.zero)
    for block in 0..<Self.blockCount {
      let (a, b, c) = cells(block)
      sx += a
      sy += b
      sz += c
    }
    return Vector3(sx.sum(), sy.sum(), sz.sum()) / Double(count)
  }

  func moments() -> Moments {
    var moments = Moments()
    moments.mean = mean
    var (xx, xy, xz) = (Cells.zero, Cells.zero, Cells.zero)
    var (yy, yz, zz) = (Cells.zero, Cells.zero, Cells.zero)
    var (recent, onset) = (Cells.zero, Cells.zero)
    for block in 0..<Self.blockCount {
      let (a, b, c) = centred(block, moments.mean)
      let (aa, bb, cc) = (a * a, b * b, c * c)
      xx += aa
      xy += a * b
      xz += a * c
      yy += bb
      yz += b * c
      zz += cc
      // Both parts consist of complete blocks.
      if block >= Self.blockCount - Self.onset / 4 { onset += aa + bb + cc }
      if block >= Self.blockCount - Self.recent / 4 { recent += aa + bb + cc }
    }
    (moments.xx, moments.xy, moments.xz) = (xx.sum(), xy.sum(), xz.sum())
    (moments.yy, moments.yz, moments.zz) = (yy.sum(), yz.sum(), zz.sum())
    moments.recent = recent.sum() / Double(Self.recent)
    moments.onset = onset.sum() / Double(Self.onset)
    return moments
  }

  /// Returns the autocorrelation of the rows about the mean at a lag in cells, normalised by its two parts.
  func correlation(lag: Int) -> Double {
    let mean = mean
    // The rows are padded with zeros, so that values without a counterpart have no effect.
    let width = MotionWindow.capacity + 16
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 4 * width) { scratch in
      for row in 0..<3 {
        (scratch.baseAddress! + row * width + MotionWindow.capacity).initialize(repeating: 0, count: 16)
      }
      let base = UnsafeMutableRawPointer(scratch.baseAddress!)
      let stride = width * MemoryLayout<Double>.stride
      for block in 0..<Self.blockCount {
        let (a, b, c) = centred(block, mean)
        let target = base + block * MemoryLayout<Cells>.size
        target.storeBytes(of: a, as: Cells.self)
        (target + stride).storeBytes(of: b, as: Cells.self)
        (target + 2 * stride).storeBytes(of: c, as: Cells.self)
        (target + 3 * stride).storeBytes(of: a * a + b * b + c * c, as: Cells.self)
      }
      var product = Cells.zero
      for row in 0..<3 {
        let start = UnsafeRawPointer(base + row * stride)
        for block in 0..<Self.blockCount {
          let position = start + block * MemoryLayout<Cells>.size
          let later = position + lag * MemoryLayout<Double>.stride
          product += position.loadUnaligned(as: Cells.self) * later.loadUnaligned(as: Cells.self)
        }
      }
      let squares = scratch[(3 * width)...]
      var (early, late) = (0.0, 0.0)
      let first = MotionWindow.capacity - count
      for index in first..<(MotionWindow.capacity - lag) { early += squares[3 * width + index] }
      for index in (first + lag)..<MotionWindow.capacity { late += squares[3 * width + index] }
      return product.sum() / (late * early + 1e-9).squareRoot()
    }
  }

  /// Returns the cells of a block of four minus their mean; 0 for missing cells.
  @inline(__always)
  func centred(_ block: Int, _ mean: Vector3) -> (Cells, Cells, Cells) {
    var (a, b, c) = cells(block)
    a -= mean.x
    b -= mean.y
    c -= mean.z
    let missing = MotionWindow.capacity - count - 4 * block
    if missing > 0 {
      let mask = SIMD4<Int64>(0, 1, 2, 3) .< SIMD4(repeating: Int64(missing))
      a.replace(with: 0, where: mask)
      b.replace(with: 0, where: mask)
      c.replace(with: 0, where: mask)
    }
    return (a, b, c)
  }

  @inline(__always)
  private func cells(_ block: Int) -> (Cells, Cells, Cells) {
    let offset = block * MemoryLayout<Cells>.size
    return (
      (x + offset).loadUnaligned(as: Cells.self), (y + offset).loadUnaligned(as: Cells.self),
      (z + offset).loadUnaligned(as: Cells.self)
    )
  }
}
