internal import InertialNumerics
internal import InertialSystem

/// The samples of one sensor that wait for the end of a recording.
struct WaitingSamples: Sendable {
  struct Sample: BitwiseCopyable, Sendable {
    var time: Double
    var value: Vector3
  }

  private(set) var samples: SpilledArray<Sample>

  init(memory: Int) { samples = SpilledArray(memory: memory) }

  var count: Int { samples.count }

  mutating func append(_ value: Vector3, at time: Double) { samples.append(Sample(time: time, value: value)) }

  /// The middle of the intervals between stamps, seconds, from at most some thousands of them; 0 for fewer than two
  /// stamps.
  func medianInterval() throws(SpillError) -> Double {
    guard count > 1 else { return 0 }
    var cursor = Cursor(self)
    let step = max(1, count / 4096)
    var intervals: [Double] = []
    for index in stride(from: 1, to: count, by: step) {
      let before = try cursor.time(index - 1)
      intervals.append(try cursor.time(index) - before)
    }
    intervals.sort()
    return SampleInterval.withoutRounding(intervals[intervals.count / 2])
  }

  /// Reads samples one after the other, in either direction.
  struct Cursor: Sendable {
    private let samples: SpilledArray<Sample>
    private var reader = SpilledArray<Sample>.Reader()

    init(_ column: WaitingSamples) { samples = column.samples }

    mutating func sample(_ index: Int) throws(SpillError) -> Sample { try reader.at(index, of: samples) }
    mutating func time(_ index: Int) throws(SpillError) -> Double { try sample(index).time }
  }
}

/// What the offline form works on: the samples that a filter would use, and how the recording divides.
struct VQFRecording: Sendable {
  var gyroscope: WaitingSamples
  var accelerometer: WaitingSamples
  var magneticField: WaitingSamples
  private var gate = SampleGate()

  /// - Parameter memory: bytes of each sensor's samples that stay in memory; the others wait on the disk.
  init(memory: Int = 1 << 20) {
    gyroscope = WaitingSamples(memory: memory)
    accelerometer = WaitingSamples(memory: memory)
    magneticField = WaitingSamples(memory: memory)
  }

  mutating func append(gyroscope value: Vector3, at time: Double) {
    guard gate.admit(gyroscope: value, at: time, gapThreshold: .infinity) != .refused else { return }
    gyroscope.append(value, at: time)
  }

  mutating func append(accelerometer value: Vector3, at time: Double) {
    guard gate.admit(accelerometer: value, at: time, gapThreshold: .infinity) != .refused else { return }
    accelerometer.append(value, at: time)
  }

  mutating func append(magneticField value: Vector3, at time: Double) {
    guard gate.admit(field: value, at: time) != .refused else { return }
    magneticField.append(value, at: time)
  }

  /// A stretch without gaps: of gyroscope samples, and of the others' samples among them.
  struct Segment: Sendable {
    var gyroscope: Range<Int>
    var accelerometer: Range<Int>
    var field: Range<Int>
  }

  /// Divides the recording where the gyroscope was silent for too long.
  func segments(gapThreshold: Double) throws(SpillError) -> [Segment] {
    var cursor = WaitingSamples.Cursor(gyroscope)
    var starts: [(index: Int, time: Double)] = []
    var last = Double.infinity
    for index in 0..<gyroscope.count {
      let time = try cursor.time(index)
      if index > 0, time - last > gapThreshold { starts.append((index, time)) }
      last = time
    }
    /// Where the samples of the segment that begins at this time begin; what is before all belongs to the first.
    func bounds(_ column: WaitingSamples) throws(SpillError) -> [Int] {
      var cursor = WaitingSamples.Cursor(column)
      var index = 0
      var bounds = [0]
      for start in starts {
        while index < column.count, try cursor.time(index) < start.time { index += 1 }
        bounds.append(index)
      }
      return bounds + [column.count]
    }
    let rates = [0] + starts.map(\.index) + [gyroscope.count]
    let (forces, fields) = (try bounds(accelerometer), try bounds(magneticField))
    return (0...starts.count).map {
      Segment(
        gyroscope: rates[$0]..<rates[$0 + 1], accelerometer: forces[$0]..<forces[$0 + 1],
        field: fields[$0]..<fields[$0 + 1])
    }
  }
}
