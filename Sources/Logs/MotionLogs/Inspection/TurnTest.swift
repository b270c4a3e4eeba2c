internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// Whether the gyroscope's rates turn the device as gravity does, for any way to read their axes and any scale.
///
/// The acceleration, turned into one frame by the rates, is averaged over two seconds at a time. There only gravity is
/// left of it: what the device speeds up it slows down again, a swing or a step comes back to where it was. So under the
/// right reading neighbouring averages are the same but for noise; under a wrong one they differ by as much as the device
/// has turned wrongly. How the acceleration changes from moment to moment says less: on a swinging arm it turns the other
/// way than gravity does.
///
/// The differences of a reading are judged by their likelihood over the whole recording, of two parts: 0.05 g of motion,
/// and a share of all the turning within, as for a scale, a delay and an alignment that are never quite right. So a
/// recording of wild motion says little, whatever comes out. A constant bias of the gyroscope is found for each reading.
///
/// The 48 readings share their work. With M a turn, exp(M ω) = M exp(ω) Mᵀ, and with M a mirror image N = −M is a turn: so
/// what any of them makes of the acceleration is a sum of the products of its components with the axes of two frames, one
/// turned by ω and one by −ω.
struct TurnTest {
  static let stepsOfBlock = 50
  /// Steps of a block of a log that may be short, or of a part of a log: one second.
  static let stepsOfShortBlock = 25
  /// g, and g for each radian turned.
  private static let (motionNoise, turnNoise) = (0.05, 0.04)
  /// rad/s, standard deviation and bound of what a bias may be.
  private static let (biasDeviation, largestBias) = (0.1, 0.3)

  struct Fit {
    var axes: SignedAxes
    /// What the logged rates are multiplied by.
    var scale: Double
    /// Twice the negative logarithm of the likelihood, but for a constant: smaller is better, 2 for odds of e to 1.
    var misfit: Double
    /// In the logged axes, rad/s.
    var bias: Vector3
  }

  private let stretches: [[MotionSketch.Step]]
  /// Of each pair of neighbouring blocks: radians turned, as logged.
  private let turns: [Double]
  /// A window that falls to zero at its ends lets no step or swing through, whatever its period.
  private let weights: [Double]

  /// Steps of a block; two seconds for a whole recording.
  private let n: Int

  init(_ sketch: MotionSketch, stepsOfBlock: Int = TurnTest.stepsOfBlock) {
    stretches = sketch.stretches
    n = stepsOfBlock
    let raised = (0..<stepsOfBlock).map { 1 - cos(2 * .pi * (Double($0) + 1) / Double(stepsOfBlock + 1)) }
    let sum = raised.reduce(0, +)
    weights = raised.map { $0 / sum }
    turns = stretches.flatMap { stretch in
      let blocks = (0..<stretch.count / stepsOfBlock).map { block in
        stretch[block * stepsOfBlock..<(block + 1) * stepsOfBlock].reduce(0) { $0 + $1.rate.norm } * MotionSketch.step
      }
      return zip(blocks, blocks.dropFirst()).map { 0.5 * ($0 + $1) }
    }
  }

  /// Pairs of blocks that are compared.
  var pairCount: Int { turns.count }

  /// How well no turning at all explains the acceleration.
  func fitAtRest() -> Fit { fit(.identity, of: Frames(self, factor: 0), scale: 0) }

  /// All 48 readings of the axes, the best first.
  func fitsOfAxes() -> [Fit] {
    let (turned, mirrored) = (Frames(self, factor: 1), Frames(self, factor: -1))
    return SignedAxes.all.map { fit($0, of: $0.determinant > 0 ? turned : mirrored, scale: 1) }
      .sorted { $0.misfit < $1.misfit }
  }

  /// The axes as they are, the rates multiplied. Where only the scale is asked for, one vector is turned in place of three
  /// frames, and under all biases at once.
  func fit(scale: Double) -> Fit {
    let differences = stretches.flatMap { stretch in
      BiasedTurns.differences(stretch, weights, factor: scale, bias: Frames.small)
    }
    let start = differences.map(\.start)
    return fit(.identity, scale, start) {
      (0..<3).map { axis in
        zip(differences, start).map { ($0.shifted(axis) - $1) / Frames.small }
      }
    }
  }

  /// Lengths of the two-second averages, g: gravity's, if the rates and the acceleration are right. With wrong rates they
  /// are shorter.
  func gravityNorms() -> LogarithmicHistogram {
    var norms = LogarithmicHistogram()
    for stretch in stretches {
      for block in blocks(stretch, factor: 1, bias: .zero) { norms.add(block.average(.identity).norm) }
    }
    return norms
  }

  /// The misfit of each pair of neighbouring blocks: for every reading of the axes, and then for the scales.
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

  /// A block's acceleration against the axes of a frame that is turned by the rates from the block's begin.
  private struct Block {
    /// Of each component of the acceleration: the mean of its product with the frame, whose columns are the axes.
    var x = Matrix3(diagonal: .zero)
    var y = Matrix3(diagonal: .zero)
    var z = Matrix3(diagonal: .zero)
    /// The turn from begin to end.
    var turn = Matrix3(diagonal: Vector3(1, 1, 1))

    /// The mean acceleration that a reading makes of it, but for a turn or a mirror that all of a recording has.
    func average(_ axes: SignedAxes) -> Vector3 {
      axes.signs[0] * x.column(axes.components[0]) + axes.signs[1] * y.column(axes.components[1])
        + axes.signs[2] * z.column(axes.components[2])
    }

    /// From `earlier` to `later`, in the frame at the begin of the later one.
    static func difference(_ earlier: Block, _ later: Block) -> Block {
      let back = earlier.turn.transpose
      return Block(x: later.x - back * earlier.x, y: later.y - back * earlier.y, z: later.z - back * earlier.z)
    }
  }

  /// The differences of neighbouring blocks for rates that are multiplied by a factor, and how they change with the bias.
  private struct Frames {
    static let small = 0.01
    var differences: [Block]
    /// With a bias of `small` on x, y and z.
    var shifted: [[Block]] = []

    init(_ test: TurnTest, factor: Double) {
      differences = test.differences(factor: factor, bias: .zero)
      guard factor != 0 else { return }
      shifted = [Vector3.unitX, .unitY, .unitZ].map { test.differences(factor: factor, bias: Self.small * $0) }
    }
  }

  private func differences(factor: Double, bias: Vector3) -> [Block] {
    stretches.flatMap { stretch in
      let blocks = blocks(stretch, factor: factor, bias: bias)
      return zip(blocks, blocks.dropFirst()).map(Block.difference)
    }
  }

  private func blocks(_ stretch: [MotionSketch.Step], factor: Double, bias: Vector3) -> [Block] {
    return (0..<stretch.count / n).map { index in
      var block = Block()
      var attitude = Quaternion.identity
      for place in 0..<n {
        let step = stretch[index * n + place]
        let half = Self.turn(0.5 * MotionSketch.step * factor * (step.rate - bias))
        attitude = attitude * half
        let frame = attitude.matrix
        let a = weights[place] * step.acceleration
        block.x = block.x + a.x * frame
        block.y = block.y + a.y * frame
        block.z = block.z + a.z * frame
        attitude = attitude * half
      }
      block.turn = attitude.matrix
      return block
    }
  }

  /// By the series where it is exact to 1e-9, which it is at any rate of a body.
  static func turn(_ v: Vector3) -> Quaternion {
    let quarter = 0.25 * v.squaredNorm
    guard quarter < 0.04 else { return Quaternion(rotationVector: v) }
    let s = 0.5 * (1 - quarter / 6 * (1 - quarter / 20 * (1 - quarter / 42)))
    return Quaternion(
      x: s * v.x, y: s * v.y, z: s * v.z, w: 1 - quarter / 2 * (1 - quarter / 12 * (1 - quarter / 30)))
  }

  // MARK: Likelihood

  /// The best bias for a reading, and how well the pairs agree under it.
  private func fit(_ axes: SignedAxes, of frames: Frames, scale: Double) -> Fit {
    let start = frames.differences.map { $0.average(axes) }
    return fit(axes, scale, start) {
      frames.shifted.map { shifted in zip(shifted, start).map { ($0.average(axes) - $1) / Frames.small } }
    }
  }

  /// - Parameters:
  ///   - start: the differences without a bias.
  ///   - slopes: how they change with a bias about x, y and z.
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

  /// Cauchy's distribution in the two directions in which gravity can turn.
  private func misfit(_ differences: [Vector3], _ variances: [Double]) -> Double {
    zip(differences, variances).reduce(0) { sum, pair in
      let (difference, variance) = pair
      let spread = variance / (Self.motionNoise * Self.motionNoise)
      return sum + log(spread) + 2 * log(1 + difference.squaredNorm / variance)
    }
  }

  /// By least squares with weights that let outliers go.
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
