package import InertialSensors
internal import InertialSystem

/// Reads samples while they are made, line by line, from standard input, a connection or datagrams.
///
/// A line ends with LF, CR or both. It is a row of a CSV or a JSON object, in the units of the canonical CSV: `StreamLineParser` says how it is
/// understood. A datagram holds one line or more, none of which goes on in the next; an empty one of the same sender ends
/// the stream, one with the secret alone where there is a secret. Datagrams of one sender at a time are taken
/// (`StreamAdmission`), and what others send is counted.
/// A line that cannot be read is left out and counted; before the first good line of standard input it is an error, as
/// then nothing that follows could be read. Samples come as they are: to judge them is `SampleConditioner`'s business,
/// with the horizon that the reader can wait for.
///
/// One thread reads; `interrupt` may be called from any.
package final class SampleStream: @unchecked Sendable {
  /// What reading on has given.
  package enum Outcome: Sendable, Equatable {
    /// A line was read; it may have had no sample.
    case line
    /// No line came in time.
    case silence
    /// `interrupt` was called.
    case interrupted
    /// The sender has ended the stream.
    case end
  }

  /// As messages name it; with the port that was found for port 0.
  package let name: String
  /// The port that datagrams or a connection come to; nil of what is read without.
  package let port: UInt16?
  /// Lines that were read, good or not.
  package private(set) var lineCount = 0
  /// Lines that were left out, as they could not be read.
  package private(set) var malformedCount = 0
  /// What was wrong with the first of them.
  package private(set) var firstError: LogError?
  /// What was wrong with the last of them.
  package private(set) var lastError: LogError?

  /// Whether the stream ended within a line: its sender has stopped short.
  package private(set) var hasEndedWithinLine = false
  /// Datagrams of others than the one sender, or without the secret.
  package var refusedCount: Int { gate.refusedCount }
  /// Whose the last of these was, as address and port.
  package var lastRefused: String? { gate.lastRefused?.description }
  /// Datagrams that the system has thrown away, as they were not read in time; nil where it does not tell.
  package var lostCount: Int? { input.lostCount }

  private var gate: StreamGate
  /// Who sent the last datagram that was taken, and whether a line of theirs could be read.
  private var speaker: StreamSender?
  private var isSpeakerHeard = false
  /// Who was heard before, and how their rows were understood.
  private var former: (sender: StreamSender, parser: StreamLineParser)?
  private let options: LogOptions
  /// Bytes of a line.
  private static let longestLine = 1 << 16
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private let input: StreamInput
  private var parser: StreamLineParser
  private var buffer: UnsafeMutableRawBufferPointer
  /// What of the buffer has not been read.
  private var start = 0
  private var end = 0
  private var hasEnded = false
  private var isPassingOver = false
  /// Whether the line at hand has no end.
  private var isUnterminated = false
  private var hasGoodLine = false

  /// - Parameter admission: whose datagrams are taken.
  /// - Throws: where the address cannot be listened at, or who may send is not known.
  package convenience init(
    _ address: StreamAddress, options: LogOptions = LogOptions(), admission: StreamAdmission = StreamAdmission()
  ) throws(LogError) {
    let gate = try StreamGate(admission)
    self.init(input: try StreamInput(address), options: options, gate: gate)
  }

  /// Reads another open file, such as a pipe; whoever opened it closes it, after the stream is gone.
  package convenience init(
    descriptor: Int32, name: String, options: LogOptions = LogOptions()
  ) throws(LogError) {
    self.init(
      input: try StreamInput(descriptor: descriptor, ownsDescriptor: false, name: name, isDatagram: false, port: nil),
      options: options, gate: try StreamGate(StreamAdmission()))
  }

  init(input: StreamInput, options: LogOptions, gate: StreamGate) {
    self.input = input
    self.gate = gate
    self.options = options.withCalibrationChannels
    name = input.name
    port = input.port
    parser = StreamLineParser(name: input.name, options: self.options)
    buffer = .allocate(byteCount: Self.longestLine + DatagramSocket.longestDatagram, alignment: 1)
  }

  deinit { buffer.deallocate() }

  /// Makes a reader that waits, or the next that would, return at once. From any thread.
  package func interrupt() { input.interrupt() }

  /// Waits at most `timeout` seconds for a line and appends its samples: those of motion in the order of the line, and
  /// those of the channels that `LogOptions.auxiliary` wants.
  package func read(
    into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample], timeout: Double = .infinity
  ) throws(LogError) -> Outcome {
    let end = Self.now + timeout
    while true {
      if let line = nextLine() {
        lineCount += 1
        try parse(line, into: &motion, auxiliary: &auxiliary)
        return .line
      }
      guard !hasEnded else { return .end }
      // What others send keeps nobody from noticing that the one sender is silent.
      switch try load(timeout: max(0, end - Self.now)) {
      case .bytes(let count): if count == 0, Self.now >= end { return .silence }
      case .nothing: return .silence
      case .interrupted: return .interrupted
      case .end: hasEnded = true
      }
    }
  }

  private func parse(
    _ line: UnsafeRawBufferPointer, into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    do throws(LogError) {
      let count = motion.count + auxiliary.count
      defer { if let refused = parser.takeRefusedHeader() { leaveOut(refused) } }
      try parser.parse(line, number: lineCount, into: &motion, auxiliary: &auxiliary)
      gate.hear()
      isSpeakerHeard = true
      if motion.count + auxiliary.count > count { hasGoodLine = true }
    } catch {
      // The last line may be cut off; a stray datagram is nobody's stream.
      guard hasGoodLine || input.isDatagram || hasEnded else { throw error }
      if hasEnded, isUnterminated { hasEndedWithinLine = true }
      leaveOut(error)
    }
  }

  private func leaveOut(_ error: LogError) {
    malformedCount += 1
    if firstError == nil { firstError = error }
    lastError = error
  }

  /// The next whole line of the buffer, without its end.
  private func nextLine() -> UnsafeRawBufferPointer? {
    while start < end {
      let rest = buffer[start..<end]
      let stop: Int
      isUnterminated = false
      // LF, CR, or both in any number: a line without anything is passed over.
      if let found = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        stop = found
      } else {
        // What a stream's end or a datagram's leaves is a line, too.
        guard hasEnded || input.isDatagram else { return nil }
        stop = end
        isUnterminated = !input.isDatagram
      }
      var first = start
      start = min(stop + 1, end)
      if isPassingOver {
        isPassingOver = false
        continue
      }
      // Before a stream's first line, and where files were joined.
      if buffer[first..<stop].starts(with: Self.byteOrderMark) { first += Self.byteOrderMark.count }
      guard stop > first else { continue }
      return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[first..<stop])
    }
    return nil
  }

  private func load(timeout: Double) throws(LogError) -> StreamInput.Outcome {
    if start > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      end -= start
      start = 0
    }
    if end > Self.longestLine {
      if !isPassingOver {
        lineCount += 1
        leaveOut(
          LogError(
            path: name, line: lineCount, problem: "the line is longer than \(Self.longestLine) bytes",
            remedy: "send one row or object a line"))
      }
      isPassingOver = true
      end = 0
    }
    let outcome = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]), timeout: timeout)
    if input.isDatagram, let sender = input.sender {
      switch outcome {
      case .bytes(let count) where count > 0: return take(count, of: sender)
      case .end: return take(0, of: sender)
      default: break
      }
    }
    if case .bytes(let count) = outcome { end += count }
    return outcome
  }

  /// Takes a datagram that stands behind what is in the buffer, or leaves it out.
  private func take(_ count: Int, of sender: StreamSender) -> StreamInput.Outcome {
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[end..<(end + count)])
    guard case .admitted(let skipped, let isNew) = gate.judge(bytes, of: sender, at: Self.now) else { return .bytes(0) }
    if isNew { change(to: sender) }
    // Only who was heard can end the stream.
    guard skipped < count else { return isSpeakerHeard ? .end : .bytes(0) }
    start = end + skipped
    end += count
    return .bytes(count - skipped)
  }

  /// Another sender's header is no header of this one's rows; who was heard before and comes back goes on with its own.
  private func change(to sender: StreamSender) {
    let own = former?.sender == sender ? former?.parser : nil
    if let speaker, isSpeakerHeard { former = (speaker, parser) }
    parser = own ?? StreamLineParser(name: name, options: options)
    (speaker, isSpeakerHeard) = (sender, own != nil)
    if own != nil { gate.hear() }
  }

  /// Seconds of a clock that only goes on.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
