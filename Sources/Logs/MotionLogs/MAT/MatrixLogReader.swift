package import InertialSensors

/// Reads a log with one matrix of numbers per sensor and one row per sample: a MAT file, or an HDF5 recording of BROAD,
/// the Berlin Robust Orientation Estimation Assessment Dataset (Laidig et al., "BROAD", Data 6(7), 2021).
///
/// BROAD's names imply BROAD's units: `imu_acc` (m/s², specific force), `imu_gyr` (rad/s), `imu_mag` (µT), `opt_quat`
/// (w, x, y, z; sensor to ENU; NaN if not tracked), `movement` (boolean) and `sampling_rate` in Hz. Row i is at i /
/// sampling_rate seconds, or at the time in a vector of times. Rows are read in blocks.
package struct MatrixLogReader: LogReader {
  package let description: LogDescription
  package private(set) var emptyCounts: [SensorChannel: Int] = [:]

  /// A matrix: its channel, the factor to the channel's unit, and a function that replaces an array by the numbers of
  /// the given rows in row-major order.
  typealias Source = (
    channel: SensorChannel, scale: Double, read: (Range<Int>, inout [Double]) throws(LogError) -> Void
  )

  /// The number of rows read together.
  private static let blockSize = 1024

  private let sources: [Source]
  private var blocks: [[Double]]
  private let rowCount: Int
  private let rate: Double
  private let times: [Double]?
  private var row = 0

  /// - Parameters:
  ///   - rowCount: The number of rows of all matrices, at least 1.
  ///   - rate: The rows per second, used without `times`.
  ///   - times: The time of each row, in seconds, or `nil`.
  init(_ sources: [Source], rowCount: Int, rate: Double, times: [Double]? = nil, description: LogDescription) {
    (self.sources, self.rowCount, self.rate, self.times) = (sources, rowCount, rate, times)
    self.description = description
    blocks = Array(repeating: [], count: sources.count)
  }

  /// Requires a valid sample rate, in Hz.
  static func checkRate(_ rate: Double, path: String) throws(LogError) {
    guard rate.isFinite, rate > 0 else {
      throw LogError(
        path: path, problem: "the sampling rate \(rate) Hz is not valid", remedy: "give the rate with --sample-rate HZ")
    }
  }

  package var progress: Double { Double(row) / Double(rowCount) }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let range = row..<min(row + Self.blockSize, rowCount)
    guard !range.isEmpty else { return false }
    for (index, source) in sources.enumerated() { try source.read(range, &blocks[index]) }
    for row in range {
      let time = times?[row] ?? Double(row) / rate
      for (index, source) in sources.enumerated() {
        append(row - range.lowerBound, of: blocks[index], source.channel, source.scale, time, to: &batch)
      }
    }
    row = range.upperBound
    return true
  }

  private mutating func append(
    _ row: Int, of block: [Double], _ channel: SensorChannel, _ scale: Double, _ time: Double,
    to batch: inout [SensorSample]
  ) {
    switch channel {
    case .referenceAttitude:
      // The scalar part comes first.
      let (w, x, y, z) = (block[4 * row], block[4 * row + 1], block[4 * row + 2], block[4 * row + 3])
      if w.isNaN || x.isNaN || y.isNaN || z.isNaN {
        emptyCounts[channel, default: 0] += 1
      } else {
        batch.append(SensorSample(time: time, channel: channel, x: x, y: y, z: z, w: w))
      }
    case .movement: batch.append(SensorSample(time: time, channel: channel, x: block[row]))
    default:
      batch.append(
        SensorSample(
          time: time, channel: channel, x: block[3 * row] * scale, y: block[3 * row + 1] * scale,
          z: block[3 * row + 2] * scale, w: channel == .calibratedMagneticField ? .nan : 0))
    }
  }
}
