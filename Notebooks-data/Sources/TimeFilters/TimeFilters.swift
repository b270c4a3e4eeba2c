// Times filters over one recording in memory on request, so that it can alternate with another program:
// swift run -c release --package-path Notebooks-data TimeFilters LOG
//
// Each line of standard input is a filter's name after `--smooth` for its offline form and `--six` for six axes instead of
// nine, followed by settings as for `--set`. The answer is the time of one run with an attitude after each sample, in
// nanoseconds per gyroscope sample.
// Used by studies/flagship.py and studies/speed.py.
import Foundation
import Inertial

@main struct TimeFilters {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else { return print("usage: TimeFilters LOG") }
    let samples = try LogFeed(path: CommandLine.arguments[1]).load().samples
    let hasCalibratedField = samples.contains { $0.channel == .calibratedMagneticField }
    let field: SensorChannel = hasCalibratedField ? .calibratedMagneticField : .magnetometer
    let nine = samples.filter { [.gyroscope, .accelerometer, field].contains($0.channel) }
    let six = nine.filter { $0.channel != field }
    guard let nineRows = rows(nine), let sixRows = rows(six) else {
      return print("error: \(CommandLine.arguments[1]) does not have all sensors in each row")
    }
    let count = nineRows.count
    var attitudes = [Quaternion](repeating: .identity, count: count)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let settings = try ParameterSettings(words: words.filter { $0.contains("=") }).common
      guard let name = words.last(where: { !$0.contains("=") }), let kind = FilterKind.all[name] else {
        answer("there is no filter '\(line)'")
        continue
      }
      let isSix = words.contains("--six")
      let seconds: Double
      if words.contains("--smooth") {
        guard let smoother = try kind.makeSmoother(settings) else {
          answer("\(name) has no offline form")
          continue
        }
        seconds = time(smoother, isSix ? six : nine, &attitudes)
      } else {
        seconds = time(try kind.make(settings), isSix ? sixRows : nineRows, &attitudes)
      }
      answer("\(seconds / Double(count) * 1e9)")
    }
  }

  /// Writes the answer without buffering, because the caller waits for it.
  static func answer(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// The samples of an epoch.
  struct Row {
    var time: Double
    var rate: Vector3
    var acceleration: Vector3
    var field: Vector3?
  }

  /// Returns the samples epoch by epoch, or `nil` if a sample has no row of the gyroscope. The arrays of the other
  /// packages have all sensors in each row, too.
  static func rows(_ samples: [SensorSample]) -> [Row]? {
    var rows: [Row] = []
    for sample in samples {
      guard sample.channel == .gyroscope || rows.last?.time == sample.time else { return nil }
      switch sample.channel {
      case .gyroscope: rows.append(Row(time: sample.time, rate: sample.vector, acceleration: .zero))
      case .accelerometer: rows[rows.count - 1].acceleration = sample.vector
      default: rows[rows.count - 1].field = sample.vector
      }
    }
    return rows
  }

  // Without closures, whose access to variables is checked at run time.
  static func time(_ filter: some AttitudeFilter, _ rows: [Row], _ attitudes: inout [Quaternion]) -> Double {
    var filter = filter
    let start = ContinuousClock.now
    for index in rows.indices {
      filter.update(
        gyroscope: rows[index].rate, accelerometer: rows[index].acceleration, magneticField: rows[index].field,
        at: rows[index].time)
      attitudes[index] = filter.estimate?.earthFromDevice ?? .identity
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  static func time(_ smoother: some AttitudeSmoother, _ samples: [SensorSample], _ attitudes: inout [Quaternion])
    -> Double
  {
    var smoother = smoother
    var row = 0
    let start = ContinuousClock.now
    for index in samples.indices {
      switch samples[index].channel {
      case .gyroscope: smoother.update(gyroscope: samples[index].vector, at: samples[index].time)
      case .accelerometer: smoother.update(accelerometer: samples[index].vector, at: samples[index].time)
      default: smoother.update(magneticField: samples[index].vector, at: samples[index].time)
      }
      if isLastOfEpoch(index, samples) { takeFinal(&smoother, &attitudes, &row) }
    }
    smoother.finish()
    takeFinal(&smoother, &attitudes, &row)
    return (ContinuousClock.now - start) / .seconds(1)
  }

  static func isLastOfEpoch(_ index: Int, _ samples: [SensorSample]) -> Bool {
    index + 1 == samples.count || samples[index + 1].channel == .gyroscope
  }

  static func takeFinal(_ smoother: inout some AttitudeSmoother, _ attitudes: inout [Quaternion], _ row: inout Int) {
    while let final = smoother.next() {
      attitudes[row] = final.estimate.earthFromDevice
      row += 1
    }
  }
}
