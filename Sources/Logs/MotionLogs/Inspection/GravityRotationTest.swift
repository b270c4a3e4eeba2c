internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A test of whether the gyroscope's rates match the rotation of gravity, for any mapping of their axes and any scale.
///
/// The acceleration, rotated into one frame by the rates, is averaged over two seconds. Only gravity remains in the
/// average: a device that accelerates also decelerates, and a swing or a step returns to its start. Under the correct
/// reading, consecutive averages are therefore equal except for noise. Under a wrong reading, they differ by the error
/// of the rotation. Instantaneous changes of the acceleration are less informative: on a swinging arm it rotates
/// opposite to gravity.
///
/// The differences are evaluated by their likelihood over the whole recording, with two noise terms: 0.05 g of motion,
/// and a fraction of the total rotation for errors of scale, delay and alignment. A recording of wild motion is
/// therefore weak evidence for any result. A constant bias of the gyroscope is estimated for each reading.
///
/// The 48 readings share their computations. If M is a rotation, exp(M ω) = M exp(ω) Mᵀ, and if M is a reflection, N =
/// −M is a rotation. The acceleration under any reading is thus a sum of the products of its components with the axes
/// of two frames, one rotated by ω and one by −ω.
struct GravityRotationTest {
  static let stepsOfBlock = 50
  /// The number of steps of a block for a short log, or for a part of a log: one second.
  static let stepsOfShortBlock = 25
  /// The noise of motion, in g, and of rotation, in g per radian.
  private static let (motionNoise, turnNoise) = (0.05, 0.04)
  /// The standard deviation and the maximum of the bias, in rad/s.
  private static let (biasDeviation, largestBias) = (0.1, 0.3)

  struct Fit {
    var axes: SignedAxes
    /// The factor applied to the logged rates.
    var scale: Double
    /// Twice the negative log-likelihood, up to a constant. Smaller is better, and 2 means odds of e to 1.
    var misfit: Double
    /// The bias in the logged axes, in rad/s.
    var bias: Vector3
  }

  private let stretches: [[DownsampledMotion.Step]]
  /// The rotation of each pair of consecutive blocks, in radians, as logged.
  private let turns: [Double]
  /// The weights of a block's steps. A window that falls to zero at its ends suppresses steps and swings of any period.
  private let weights: [Double]

  /// The number of steps of a block: two seconds for a whole recording.
  private let n: Int

  init(_ sketch: DownsampledMotion, stepsOfBlock: Int = GravityRotationTest.stepsOfBlock) {
    stretches = sketch.stretches
    n = stepsOfBlock
    let raised = (0..<stepsOfBlock).map { 1 - cos(2 * .pi * (Double($0) + 1) / Double(stepsOfBlock + 1)) }
    let sum = raised.reduce(0, +)
    weights = raised.map { $0 / sum }
    turns = stretches.flatMap { stretch in
      let blocks = (0..<stretch.count / stepsOfBlock).map { block in
        stretch[block * stepsOfBlock..<(block + 1) * stepsOfBlock].reduce(0) { $0 + $1.rate.norm }
          * DownsampledMotion.step
      }
      return zip(blocks, blocks.dropFirst()).map { 0.5 * ($0 + $1) }
    }
  }

  /// Creates a test of a short log, or of a part of a log, with blocks of one second.
  ///
  /// - Parameter samples: The valid samples of gyroscope and accelerometer, sorted by time.
  init(short samples: some Sequence<SensorSample>) {
    var sketch = DownsampledMotion()
    for sample in samples { sketch.add(sample) }
    sketch.finish()
    self.init(sketch, stepsOfBlock: Self.stepsOfShortBlock)
  }

  /// The number of compared pairs of blocks.
  var pairCount: Int { turns.count }

  /// Returns the fit of no rotation.
  func fitAtRest() -> Fit { fit(.identity, of: frames(factor: 0), scale: 0) }

  /// Returns the fits of all 48 mappings of the axes, the best first.
  func fitsOfAxes() -> [Fit] {
    let (turned, mirrored) = (frames(factor: 1), frames(factor: -1))
    return SignedAxes.all.map { fit($0, of: $0.determinant > 0 ? turned : mirrored, scale: 1) }
      .sorted { $0.misfit < $1.misfit }
  }

  /// Returns the fit of a scale with the logged axes. For a scale alone, one vector is rotated instead of three frames,
  /// with all biases at once.
  func fit(scale: Double) -> Fit {
    let differences = stretches.flatMap { stretch in
      BiasedVectors.differences(stretch, weights, factor: scale, bias: Self.smallBias)
    }
    let start = differences.map(\.start)
    return fit(.identity, scale, start) {
      (0..<3).map { axis in
        zip(differences, start).map { ($0.shifted(axis) - $1) / Self.smallBias }
      }
    }
  }

  /// Returns the magnitudes of the two-second averages, in g. They match gravity if the rates and the acceleration are
  /// correct, and are smaller with wrong rates.
  func gravityNorms() -> LogarithmicHistogram {
    var norms = LogarithmicHistogram()
    for stretch in stretches {
      for block in blocks(stretch, factor: 1, bias: .zero) { norms.add(block.average(.identity).norm) }
    }
    return norms
  }

  /// Returns the misfits of each pair of consecutive blocks, for all mappings of the axes and then for the scales.
  func misfits(bias: Vector3, scales: [Double]) -> [[Double]] {
    let (turned, mirrored) = (differences(factor: 1, bias: bias), differences(factor: -1, bias: bias))
    let byAxes = SignedAxes.all.map { axes in
      misfits((axes.determinant > 0 ? turned : mirrored).map { $0.average(axes) }, scale: 1)
    }
    return byAxes
      + scales.map { scale in
        misfits(differences(factor: scale, bias: bias).map { $0.average(.identity) }, scale: scale)
      }
  }

  private func misfits(_ differences: [Vector3], scale: Double) -> [Double] {
    zip(differences, turns).map { difference, turn in
      let byTurning = Self.turnNoise * scale * turn
      return misfit([difference], [Self.motionNoise * Self.motionNoise + byTurning * byTurning])
    }
  }

  // MARK: Frames

  /// A block's acceleration relative to the axes of a frame that the rates rotate from the block's start.
  private struct Block {
    /// The mean product of each component of the acceleration with the frame, whose columns are the axes.
    var x = Matrix3(diagonal: .zero)
    var y = Matrix3(diagonal: .zero)
    var z = Matrix3(diagonal: .zero)
    /// The rotation from start to end.
    var turn = Matrix3(diagonal: Vector3(1, 1, 1))

    /// Returns the mean acceleration under a reading, up to a rotation or reflection that is constant in a recording.
    func average(_ axes: SignedAxes) -> Vector3 {
      axes.signs[0] * x.column(axes.components[0]) + axes.signs[1] * y.column(axes.components[1])
        + axes.signs[2] * z.column(axes.components[2])
    }

    /// Returns the difference from `earlier` to `later`, in the frame at the start of the later block.
    static func difference(_ earlier: Block, _ later: Block) -> Block {
      let back = earlier.turn.transpose
      return Block(x: later.x - back * earlier.x, y: later.y - back * earlier.y, z: later.z - back * earlier.z)
    }
  }

  /// The bias from which the derivatives with respect to the bias are computed, in rad/s.
  private static let smallBias = 0.01
  /// The differences of consecutive blocks without a bias, and with the small bias about x, y and z.
  private typealias Frames = (differences: [Block], shifted: [[Block]])

  private func frames(factor: Double) -> Frames {
    let axes: [Vector3] = factor == 0 ? [] : [.unitX, .unitY, .unitZ]
    return (
      differences(factor: factor, bias: .zero),
      axes.map { differences(factor: factor, bias: Self.smallBias * $0) }
    )
  }

  private func differences(factor: Double, bias: Vector3) -> [Block] {
    stretches.flatMap { stretch in
      let blocks = blocks(stretch, factor: factor, bias: bias)
      return zip(blocks, blocks.dropFirst()).map(Block.difference)
    }
  }

  private func blocks(_ stretch: [DownsampledMotion.Step], factor: Double, bias: Vector3) -> [Block] {
    return (0..<stretch.count / n).map { index in
      var block = Block()
      var attitude = Quaternion.identity
      for position in 0..<n {
        let step = stretch[index * n + position]
        let half = Quaternion(rotationVector: 0.5 * DownsampledMotion.step * factor * (step.rate - bias))
        attitude = attitude * half
        let frame = attitude.matrix
        let a = weights[position] * step.acceleration
        block.x = block.x + a.x * frame
        block.y = block.y + a.y * frame
        block.z = block.z + a.z * frame
        attitude = attitude * half
      }
      block.turn = attitude.matrix
      return block
    }
  }

  // MARK: Likelihood

  /// Returns the fit of a reading with its best bias.
  private func fit(_ axes: SignedAxes, of frames: Frames, scale: Double) -> Fit {
    let start = frames.differences.map { $0.average(axes) }
    return fit(axes, scale, start) {
      frames.shifted.map { shifted in zip(shifted, start).map { ($0.average(axes) - $1) / Self.smallBias } }
    }
  }

  /// - Parameters:
  ///   - start: The differences without a bias.
  ///   - slopes: The derivatives with respect to a bias about x, y and z.
  private func fit(_ axes: SignedAxes, _ scale: Double, _ start: [Vector3], slopes: () -> [[Vector3]]) -> Fit {
    let variances = turns.map { turn in
      let byTurning = Self.turnNoise * scale * turn
      return Self.motionNoise * Self.motionNoise + byTurning * byTurning
    }
    var best = Fit(axes: axes, scale: scale, misfit: misfit(start, variances), bias: .zero)
    guard scale > 0 else { return best }
    let slopes = slopes()
    let bias = bias(start, slopes, variances)
    let residuals = start.indices.map { moved(start, slopes, bias, $0) }
    let found = misfit(residuals, variances) + bias.squaredNorm / (Self.biasDeviation * Self.biasDeviation)
    if found < best.misfit { best = Fit(axes: axes, scale: scale, misfit: found, bias: bias) }
    return best
  }

  /// Returns the misfit by Cauchy's distribution in the two directions in which gravity can rotate.
  private func misfit(_ differences: [Vector3], _ variances: [Double]) -> Double {
    zip(differences, variances).reduce(0) { sum, pair in
      let (difference, variance) = pair
      let spread = variance / (Self.motionNoise * Self.motionNoise)
      return sum + log(spread) + 2 * log(1 + difference.squaredNorm / variance)
    }
  }

  /// Estimates the bias by least squares with weights that suppress outliers.
  private func bias(_ start: [Vector3], _ slopes: [[Vector3]], _ variances: [Double]) -> Vector3 {
    let prior = 0.5 / (Self.biasDeviation * Self.biasDeviation)
    var bias = Vector3.zero
    for _ in 0..<6 {
      var normal = Matrix3(diagonal: Vector3(repeating: prior))
      var side = Vector3.zero
      for index in start.indices {
        let (x, y, z) = (slopes[0][index], slopes[1][index], slopes[2][index])
        let weight = 1 / (variances[index] + moved(start, slopes, bias, index).squaredNorm)
        let (xy, xz, yz) = (x.dot(y), x.dot(z), y.dot(z))
        normal =
          normal + weight
          * Matrix3(rows: Vector3(x.dot(x), xy, xz), Vector3(xy, y.dot(y), yz), Vector3(xz, yz, z.dot(z)))
        let r = start[index]
        side -= weight * Vector3(x.dot(r), y.dot(r), z.dot(r))
      }
      guard let inverse = normal.inverse else { return bias }
      bias = inverse * side
    }
    let bound = Self.largestBias
    return Vector3(
      min(max(bias.x, -bound), bound), min(max(bias.y, -bound), bound), min(max(bias.z, -bound), bound))
  }

  private func moved(_ start: [Vector3], _ slopes: [[Vector3]], _ bias: Vector3, _ index: Int) -> Vector3 {
    start[index] + bias.x * slopes[0][index] + bias.y * slopes[1][index] + bias.z * slopes[2][index]
  }
}
