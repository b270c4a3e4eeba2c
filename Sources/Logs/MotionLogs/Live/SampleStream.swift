package import InertialSensors
internal import InertialSystem

/// Reads samples in real time, line by line, from standard input, a connection or datagrams.
///
/// A line ends with LF, CR or both. It is a row of a CSV or a JSON object, in the units of the canonical CSV (see
/// `StreamLineParser`). A datagram holds one or more complete lines. The stream ends with an empty datagram of its
/// sender or, if a secret is required, with a datagram of the secret alone. Datagrams of one sender at a time are
/// accepted (`SenderPolicy`); those of other senders are counted. An unreadable line is left out and counted. Before
/// the first valid line of standard input it is an error, as no following line could be read. Samples are passed on
/// unchanged; `SampleConditioner` validates them within the latency that the reader allows.
///
/// One thread reads; `interrupt` may be called from any thread.
package final class SampleStream: @unchecked Sendable {
  /// The result of a read.
  package enum Outcome: Sendable, Equatable {
    /// A line was read; it may have had no sample.
    case line
    /// The timeout expired without a line.
    case silence
    /// `interrupt` was called.
    case interrupted
    /// The sender has ended the stream.
    case end
  }

  /// The name of the stream in messages, with the actual port if port 0 was requested.
  package let name: String
  /// The port that receives datagrams or a connection, or `nil` for other inputs.
  package let port: UInt16?
  /// The number of lines read, valid or not.
  package private(set) var lineCount = 0
  /// The number of unreadable lines, which were left out.
  package private(set) var malformedCount = 0
  /// The error of the first unreadable line.
  package private(set) var firstError: LogError?
  /// The error of the last unreadable line.
  package private(set) var lastError: LogError?

  /// Whether the stream ended within a line because its sender stopped early.
  package private(set) var hasEndedWithinLine = false
  /// The number of datagrams from other senders or without the secret.
  package var refusedCount: Int { filter.refusedCount }
  /// The sender of the last refused datagram, as address and port.
  package var lastRefused: String? { filter.lastRefused?.description }
  /// The sensor channels of the current sender's rows, or `nil` if unknown.
  package var sensors: Set<SensorChannel>? { parser.sensors }
  /// The line of the current header, or 0 without one.
  package var headerLine: Int { parser.headerLine }
  /// The properties that were inferred from the current header, or `nil` before its first row.
  package var notes: [String]? { parser.notes }
  /// The number of datagrams that the system dropped because they were not read in time, or `nil` if unknown.
  package var lostCount: Int? { input.lostCount }

  private var filter: SenderFilter
  /// The previous sender that was heard, and the parser of its rows.
  private var previous: (sender: StreamSender, parser: StreamLineParser)?
  private let options: LogOptions
  /// The maximum length of a line, in bytes.
  private static let maximumLineLength = 1 << 16
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private let input: StreamInput
  private var parser: StreamLineParser
  private var buffer: UnsafeMutableRawBufferPointer
  /// The unread range of the buffer.
  private var start = 0
  private var end = 0
  private var hasEnded = false
  private var isSkippingLine = false
  /// Whether the current line has no line end.
  private var isUnterminated = false
  private var hasGoodLine = false

  /// - Parameter admission: The senders whose datagrams are accepted.
  /// - Throws: ``LogError`` if the stream cannot listen at the address, or the permitted sender is unknown.
  package convenience init(
    _ address: StreamAddress, options: LogOptions = LogOptions(), admission: SenderPolicy = SenderPolicy()
  ) throws(LogError) {
    let filter = try SenderFilter(admission)
    self.init(input: try StreamInput(address), options: options, filter: filter)
  }

  /// Reads another open file, such as a pipe. The caller closes it after the stream is deallocated.
  package convenience init(
    descriptor: Int32, name: String, options: LogOptions = LogOptions()
  ) throws(LogError) {
    self.init(
      input: try StreamInput(descriptor: descriptor, name: name, ownsDescriptor: false),
      options: options, filter: try SenderFilter(SenderPolicy()))
  }

  init(input: StreamInput, options: LogOptions, filter: SenderFilter) {
    self.input = input
    self.filter = filter
    self.options = options.withCalibrationChannels
    name = input.name
    port = input.port
    parser = StreamLineParser(name: input.name, options: self.options)
    buffer = .allocate(byteCount: Self.maximumLineLength + maximumDatagramSize, alignment: 1)
  }

  deinit { buffer.deallocate() }

  /// Makes the current or next waiting read return immediately. Callable from any thread.
  package func interrupt() { input.interrupt() }

  /// Waits at most `timeout` seconds for a line and appends its samples: motion samples in the order of the line, and
  /// samples of the channels in `LogOptions.auxiliary`.
  package func read(
    into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample],
    timeout: @autoclosure () -> Double = .infinity
  ) throws(LogError) -> Outcome {
    // A line that has arrived needs no clock.
    var deadline: Double?
    while true {
      if let line = nextLine() {
        lineCount += 1
        try parse(line, into: &motion, auxiliary: &auxiliary)
        return .line
      }
      guard !hasEnded else { return .end }
      let end = deadline ?? Self.now + timeout()
      deadline = end
      // Datagrams of other senders do not extend the timeout.
      let (count, stop) = try receive(timeout: max(0, end - Self.now))
      hasEnded = stop == .end
      if let stop, stop != .end { return stop }
      if stop == nil, count == 0, Self.now >= end { return .silence }
    }
  }

  /// Whether another line has arrived, so that the next read does not wait.
  package var hasBufferedLine: Bool { lineEnd != nil }

  /// The index of the first LF or CR of the unread bytes, or `nil` without any.
  private var lineEnd: Int? {
    guard let base = buffer.baseAddress else { return nil }
    // In parts, so that lines with CR alone are not searched for LF to the end of the buffer.
    for first in stride(from: start, to: end, by: 256) {
      let count = min(256, end - first)
      let feed = memchr(base + first, 0x0A, count)
      let hit = memchr(base + first, 0x0D, feed.map { $0 - (base + first) } ?? count) ?? feed
      if let hit { return hit - base }
    }
    return nil
  }

  private func parse(
    _ line: UnsafeRawBufferPointer, into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    do throws(LogError) {
      let count = motion.count + auxiliary.count
      defer { if let refused = parser.takeRefusedHeader() { skip(refused) } }
      try parser.parse(line, number: lineCount, into: &motion, auxiliary: &auxiliary)
      filter.hear()
      if motion.count + auxiliary.count > count { hasGoodLine = true }
    } catch {
      // The last line may be cut off; a stray datagram does not end the stream with an error.
      guard hasGoodLine || input.isDatagram || hasEnded else { throw error }
      if hasEnded, isUnterminated { hasEndedWithinLine = true }
      skip(error)
    }
  }

  private func skip(_ error: LogError) {
    malformedCount += 1
    if firstError == nil { firstError = error }
    lastError = error
  }

  /// Returns the next complete line of the buffer, without its end.
  private func nextLine() -> UnsafeRawBufferPointer? {
    while start < end {
      let stop: Int
      isUnterminated = false
      // LF, CR, or both in any number: empty lines are skipped.
      if let found = lineEnd {
        stop = found
      } else {
        // The remainder at the end of a stream or datagram is a line, too.
        guard hasEnded || input.isDatagram else { return nil }
        stop = end
        isUnterminated = !input.isDatagram
      }
      var first = start
      start = min(stop + 1, end)
      if isSkippingLine {
        isSkippingLine = false
        continue
      }
      // A byte order mark can precede the first line, and also later lines if files were joined.
      if buffer[first..<stop].starts(with: Self.byteOrderMark) { first += Self.byteOrderMark.count }
      guard stop > first else { continue }
      return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[first..<stop])
    }
    return nil
  }

  /// Receives more bytes, after the unread ones.
  private func receive(timeout: Double) throws(LogError) -> StreamInput.Received {
    if start > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      end -= start
      start = 0
    }
    if end > Self.maximumLineLength {
      if !isSkippingLine {
        lineCount += 1
        skip(
          LogError(
            path: name, line: lineCount, problem: "the line is longer than \(Self.maximumLineLength) bytes",
            remedy: "send one row or object per line"))
      }
      isSkippingLine = true
      end = 0
    }
    let received = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]), timeout: timeout)
    if input.isDatagram, let sender = input.sender, received.count > 0 || received.stop == .end {
      return acceptDatagram(received.count, of: sender)
    }
    end += received.count
    return received
  }

  /// Accepts the datagram that follows the unread range of the buffer, or leaves it out.
  private func acceptDatagram(_ count: Int, of sender: StreamSender) -> StreamInput.Received {
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[end..<(end + count)])
    let heard = filter.isHeard ? filter.current : nil
    guard let (skipped, isNew) = filter.accept(bytes, of: sender, at: Self.now) else { return (0, nil) }
    if isNew { change(from: heard, to: sender) }
    // Only a sender that was heard can end the stream.
    guard skipped < count else { return (0, filter.isHeard ? .end : nil) }
    start = end + skipped
    end += count
    return (count - skipped, nil)
  }

  /// Switches from a sender, or `nil` if it was not heard, to another, with a new parser: a header applies to its own
  /// sender only. If the previous heard sender returns, its parser is restored.
  private func change(from heard: StreamSender?, to sender: StreamSender) {
    let own = previous?.sender == sender ? previous?.parser : nil
    if let heard { previous = (heard, parser) }
    parser = own ?? StreamLineParser(name: name, options: options)
    if own != nil { filter.hear() }
  }

  /// The time of a monotonic clock, in seconds.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
