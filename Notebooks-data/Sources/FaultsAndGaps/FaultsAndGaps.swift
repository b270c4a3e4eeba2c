// The recovery of a filter from a fault and from a gap in recorded motion: at several times of each recording its
// attitude is rotated by 90°, or it gets no samples for six seconds.
// swift run -c release --package-path Notebooks-data FaultsAndGaps kalman,vqf LOG...
//
// Prints one line per case: recording, filter, case, seconds from the recording's start, the root mean square total and
// inclination error in degrees over ten seconds that begin six seconds after the fault, or ten after the gap, and the
// same errors of the undisturbed filter. Cases: tilt (rotation about north, and about west), heading (about the
// vertical), oblique (about a fixed device axis between all three), gap.
import Foundation
import Inertial

@main struct FaultsAndGaps {
  /// The positions of the faults and gaps, as fractions of the recording's moving samples.
  static let fractions = [0.2, 0.4, 0.6, 0.8]
  static let gapDuration = 6.0
  /// The evaluated interval after a fault, in seconds. `afterGap` is the interval after the end of a gap.
  static let afterFault = 6.0...16.0
  static let afterGap = 10.0...20.0

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { throw Problem("usage: FaultsAndGaps FILTER,FILTER LOG...") }
    let kinds = try words[0].split(separator: ",").map { name in
      let kind = try FilterKind.all.known(String(name))
      return kind
    }
    print("recording,filter,case,time,total,inclination,undisturbedTotal,undisturbedInclination")
    for path in words[1...] {
      var recording = try EvaluationJob().load(path)
      let hasCalibratedField = recording.samples.contains { $0.channel == .calibratedMagneticField }
      let field: SensorChannel = hasCalibratedField ? .calibratedMagneticField : .magnetometer
      recording.samples.removeAll { ![.gyroscope, .accelerometer, field].contains($0.channel) }
      for kind in kinds {
        for line in try lines(recording, kind) { print("\((path as NSString).lastPathComponent),\(kind.name),\(line)") }
      }
    }
  }

  static func lines(_ recording: ReferenceRecording, _ kind: FilterKind) throws -> [String] {
    let truth = recording.reference.converted(to: .nwu)
    let moving = recording.movement ?? truth.times.map { _ in true }
    let movingTimes = zip(truth.times, moving).filter(\.1).map(\.0)
    let times = fractions.compactMap { fraction -> Double? in
      let time = movingTimes[Int(fraction * Double(movingTimes.count))]
      return time + gapDuration + afterGap.upperBound < recording.samples.last?.time ?? 0 ? time : nil
    }

    var lines: [String] = []
    var filter = try kind.make()
    var next = 0
    /// Returns the filter after the samples before a time.
    func snapshot(at time: Double) -> any AttitudeFilter {
      while next < recording.samples.count, recording.samples[next].time < time {
        filter.take(recording.samples[next])
        next += 1
      }
      return filter
    }
    for time in times {
      let before = snapshot(at: time)
      let rest = recording.samples[next...].prefix { $0.time <= time + gapDuration + afterGap.upperBound }
      func errors(_ start: any AttitudeFilter, _ samples: [SensorSample], _ window: ClosedRange<Double>) -> String? {
        var start = start
        return start.errors(over: samples, against: truth, moving, from: window.lowerBound, to: window.upperBound)
      }
      func report(_ name: String, _ start: any AttitudeFilter, _ samples: [SensorSample], _ window: ClosedRange<Double>)
      {
        // There is nothing to report if the device rests in the evaluated interval.
        guard let disturbed = errors(start, samples, window), let control = errors(before, Array(rest), window) else {
          return
        }
        lines.append("\(name),\(time),\(disturbed),\(control)")
      }
      let judged = (time + afterFault.lowerBound)...(time + afterFault.upperBound)
      let deviceFromEarth = before.estimate?.earthFromDevice.conjugate ?? .identity
      for (name, axis) in [
        ("tilt", deviceFromEarth.rotate(.unitX)), ("tilt", deviceFromEarth.rotate(.unitY)),
        ("heading", deviceFromEarth.rotate(.unitZ)), ("oblique", Vector3(0.48, 0.64, 0.6)),
      ] {
        report(name, try before.turned(by: Quaternion(angle: .pi / 2, axis: axis)), Array(rest), judged)
      }
      let end = time + gapDuration
      report(
        "gap", before, rest.filter { $0.time > end },
        (end + afterGap.lowerBound)...(end + afterGap.upperBound))
    }
    return lines
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

extension AttitudeFilter {
  mutating func take(_ sample: SensorSample) {
    switch sample.channel {
    case .gyroscope: update(gyroscope: sample.vector, at: sample.time)
    case .accelerometer: update(accelerometer: sample.vector, at: sample.time)
    default: update(magneticField: sample.vector, at: sample.time)
    }
  }

  /// Returns the root mean square errors of a window's moving samples, "total,inclination" in degrees, or `nil` if they
  /// cover less than a second.
  mutating func errors(
    over samples: [SensorSample], against truth: OrientationTrack, _ moving: [Bool], from start: Double, to end: Double
  ) -> String? {
    var errors: [OrientationError] = []
    var row = truth.times.firstIndex { $0 >= start } ?? truth.times.count
    for (index, sample) in samples.enumerated() {
      take(sample)
      // Continues only after all samples of an epoch.
      guard index + 1 == samples.count || samples[index + 1].time > sample.time else { continue }
      while row < truth.times.count, truth.times[row] < sample.time { row += 1 }
      guard row < truth.times.count, truth.times[row] == sample.time, sample.time <= end, moving[row],
        truth.isValid(row)
      else { continue }
      let attitude = estimate?.earthFromDevice ?? .identity
      errors.append(OrientationError(estimate: attitude, reference: truth.quaternions[row]))
    }
    guard errors.count >= 200, let summary = ErrorSummary(errors) else { return nil }
    return "\(summary.total.rmse),\(summary.inclination.rmse)"
  }

  /// Returns the same filter with its attitude rotated about device axes and the rest of its state unchanged.
  ///
  /// The attitude is changed in the saved state. A check ensures that only the attitude changed, by this rotation.
  func turned(by turn: Quaternion) throws -> any AttitudeFilter {
    let keys = ["kalman": ["state", "northFromDevice"], "vqf": ["state", "attitude", "inertialFromDevice"]]
    guard let path = keys[Self.name], let before = estimate?.earthFromDevice else {
      throw FaultsAndGaps.Problem("the place of the attitude in \(Self.name) is unknown")
    }
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var saved = try decoder.decode(JSONValue.self, from: encoder.encode(AnyAttitudeFilter(self)))
    let attitude = try decoder.decode(Quaternion.self, from: encoder.encode(saved[path]))
    let turned = attitude * turn
    saved[path] = try decoder.decode(JSONValue.self, from: encoder.encode(turned))
    // The same attitude as a product, and as a matrix, if the filter stores them.
    let level = ["state", "attitude", "levelFromDevice"]
    if saved[level] != .null {
      let product = try decoder.decode(Quaternion.self, from: encoder.encode(saved[level]))
      saved[level] = try decoder.decode(JSONValue.self, from: encoder.encode(product * turn))
    }
    if saved[["state", "rotation"]] != .null {
      saved[["state", "rotation"]] = try decoder.decode(JSONValue.self, from: encoder.encode(turned.matrix))
    }
    let result = try decoder.decode(AnyAttitudeFilter.self, from: encoder.encode(saved)).base
    guard let after = result.estimate?.earthFromDevice, after.angle(to: before * turn) < 1e-6 else {
      throw FaultsAndGaps.Problem("\(Self.name)'s attitude is not at \(path.joined(separator: "."))")
    }
    return result
  }
}

/// Any JSON value, to change a member.
enum JSONValue: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The value at a path of keys, or null if it does not exist.
  subscript(_ path: [String]) -> JSONValue {
    get {
      guard let first = path.first else { return self }
      guard case .object(let members) = self, let member = members[first] else { return .null }
      return member[Array(path.dropFirst())]
    }
    set {
      guard let first = path.first else { return self = newValue }
      guard case .object(var members) = self else { return }
      members[first, default: .null][Array(path.dropFirst())] = newValue
      self = .object(members)
    }
  }
}
