/// The record of a forward pass for a smoother: for each epoch the transition, the measurements with their gains, and
/// the required rows of the covariance at its end.
public struct ErrorTrace: Sendable {
  /// The indices of the recorded rows of the covariance.
  private let kept: [Int]
  /// The layout of the errors.
  public let layout: ErrorLayout
  private var epochs: [Epoch] = []
  // The parts of all epochs one after another.
  private var terms: [ErrorTransition.Term] = []
  private var rows: [Row] = []
  private var entries: [MeasurementRow.Entry] = []
  private var parts: [PartialGain.Part] = []
  private var gains: [Double] = []
  private var covarianceRows: [Double] = []
  /// Whether the newest transition's epoch has not ended: its terms are at the end of `terms`.
  public private(set) var isOpen = false

  /// The numbers of terms and rows up to an epoch's end.
  private struct Epoch: Sendable {
    var terms: Int
    var rows: Int
  }

  /// A measurement with the numbers of entries and omitted parts up to it.
  struct Row: Sendable {
    var weightedInnovation: Double
    var information: Double
    var entries: Int
    var parts: Int
  }

  /// Creates an empty record.
  ///
  /// - Parameters:
  ///   - layout: The layout of the filter's errors.
  ///   - blocks: The blocks whose smoothed errors are required.
  public init(_ layout: ErrorLayout, keeping blocks: [ErrorLayout.Block]) {
    kept = blocks.flatMap(\.indices)
    self.layout = layout
  }

  private var errorCount: Int { layout.count }

  /// The number of epochs.
  public var count: Int { epochs.count }

  // MARK: Recording

  mutating func propagate(by transition: ErrorTransition, _ covariance: [Double], _ n: Int) {
    // A second transition without measurements between them is an epoch too.
    if isOpen { close(PendingColumns(), covariance, n) }
    for index in 0..<transition.count { terms.append(transition.terms[index]) }
    isOpen = true
  }

  mutating func close(_ pending: PendingColumns, _ covariance: [Double], _ n: Int) {
    for row in pending.taken {
      for index in 0..<row.row.count { entries.append(row.row.entries[index]) }
      if let holding = row.holding, holding.isSmoothedAsOptimal {
        for index in 0..<holding.count { parts.append(holding.parts[index]) }
      }
      rows.append(
        Row(
          weightedInnovation: row.weightedInnovation, information: row.information, entries: entries.count,
          parts: parts.count))
      pending.appendGain(of: row, n, to: &gains)
    }
    for index in kept { covarianceRows += covariance[index * n..<(index + 1) * n] }
    epochs.append(Epoch(terms: terms.count, rows: rows.count))
    isOpen = false
  }

  /// Removes the oldest epochs.
  public mutating func removeFirst(_ count: Int) {
    guard count > 0 else { return }
    let last = epochs[count - 1]
    let (entryCount, partCount) = last.rows > 0 ? (rows[last.rows - 1].entries, rows[last.rows - 1].parts) : (0, 0)
    epochs.removeFirst(count)
    terms.removeFirst(last.terms)
    rows.removeFirst(last.rows)
    gains.removeFirst(last.rows * errorCount)
    entries.removeFirst(entryCount)
    parts.removeFirst(partCount)
    covarianceRows.removeFirst(count * kept.count * errorCount)
    for index in epochs.indices {
      epochs[index].terms -= last.terms
      epochs[index].rows -= last.rows
    }
    for index in rows.indices {
      rows[index].entries -= entryCount
      rows[index].parts -= partCount
    }
  }

  // MARK: Reading

  /// Calls a function with the terms of an epoch's transition.
  func withTerms(of epoch: Int, _ body: (Span<ErrorTransition.Term>) -> Void) {
    body(terms.span.extracting((epoch > 0 ? epochs[epoch - 1].terms : 0)..<epochs[epoch].terms))
  }

  /// Returns the indices of an epoch's measurements.
  func rows(of epoch: Int) -> Range<Int> { (epoch > 0 ? epochs[epoch - 1].rows : 0)..<epochs[epoch].rows }

  /// Returns a measurement's weighted innovation and information.
  func row(_ index: Int) -> Row { rows[index] }

  /// Calls a function with the index of each measured error and the derivative by it.
  @inline(__always)
  func forEachDerivative(of row: Int, _ body: (Int, Double) -> Void) {
    for entry in (row > 0 ? rows[row - 1].entries : 0)..<rows[row].entries { entries[entry].forEach(body) }
  }

  /// Returns the omitted parts of the gain of a measurement that is smoothed as optimal.
  func parts(of row: Int) -> ArraySlice<PartialGain.Part> {
    parts[(row > 0 ? rows[row - 1].parts : 0)..<rows[row].parts]
  }

  /// Copies the gain of a measurement.
  func gain(of row: Int, into gain: inout [Double]) {
    for index in 0..<errorCount { gain[index] = gains[row * errorCount + index] }
  }

  /// Returns the start of a recorded row of the covariance at an epoch's end, and calls a function with it.
  @inline(__always)
  func withCovarianceRow<Result>(
    _ index: Int, of epoch: Int, _ body: (UnsafePointer<Double>) -> Result
  ) -> Result {
    guard let position = kept.firstIndex(of: index), epochs.indices.contains(epoch) else {
      preconditionFailure("the trace has no row \(index) of epoch \(epoch)")
    }
    let start = (epoch * kept.count + position) * errorCount
    return covarianceRows.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped + start) }
  }
}
