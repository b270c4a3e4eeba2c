internal import InertialNumerics
internal import InertialSystem

/// The samples of one sensor, buffered until the end of a recording.
struct PendingSamples: Sendable {
  struct Sample: BitwiseCopyable, Sendable {
    var time: Double
    var value: Vector3
  }

  private(set) var samples: SpilledArray<Sample>

  init(memory: Int) { samples = SpilledArray(memory: memory) }

  var count: Int { samples.count }

  mutating func append(_ value: Vector3, at time: Double) { samples.append(Sample(time: time, value: value)) }

  /// Returns the median interval between timestamps, in seconds, from at most some thousands of them; 0 for fewer than
  /// two timestamps.
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

  /// A reader of consecutive samples, in either direction.
  struct Cursor: Sendable {
    private let samples: SpilledArray<Sample>
    private var reader = SpilledArray<Sample>.Reader()

    init(_ column: PendingSamples) { samples = column.samples }

    mutating func sample(_ index: Int) throws(SpillError) -> Sample { try reader.at(index, of: samples) }
    mutating func time(_ index: Int) throws(SpillError) -> Double { try sample(index).time }
  }
}

/// The input of the offline form: the samples that a filter would use, and the segments of the recording.
struct VQFRecording: Sendable {
  var gyroscope: PendingSamples
  var accelerometer: PendingSamples
  var magneticField: PendingSamples
  private var gate = SampleGate()

  /// - Parameter memory: The bytes of each sensor's samples that stay in memory; the others are stored on disk.
  init(memory: Int) {
    gyroscope = PendingSamples(memory: memory)
    accelerometer = PendingSamples(memory: memory)
    magneticField = PendingSamples(memory: memory)
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

  /// A segment without gaps: the gyroscope's samples, and the other sensors' samples among them.
  struct Segment: Sendable {
    var gyroscope: Range<Int>
    var accelerometer: Range<Int>
    var field: Range<Int>
  }

  /// Splits the recording at long gaps of the gyroscope.
  func segments(gapThreshold: Double) throws(SpillError) -> [Segment] {
    var cursor = PendingSamples.Cursor(gyroscope)
    var starts: [(index: Int, time: Double)] = []
    var last = Double.infinity
    for index in 0..<gyroscope.count {
      let time = try cursor.time(index)
      if index > 0, time - last > gapThreshold { starts.append((index, time)) }
      last = time
    }
    /// Returns the start indices of a column's samples in the segments; samples before the first segment belong to it.
    func bounds(_ column: PendingSamples) throws(SpillError) -> [Int] {
      var cursor = PendingSamples.Cursor(column)
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
