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
    let count = six.count { $0.channel == .gyroscope }
    var attitudes = [Quaternion](repeating: .identity, count: count)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let settings = try ParameterSettings(words: words.filter { $0.contains("=") }).common
      guard let name = words.last(where: { !$0.contains("=") }), let kind = FilterKind.all[name] else {
        answer("there is no filter '\(line)'")
        continue
      }
      let relevant = words.contains("--six") ? six : nine
      let seconds: Double
      if words.contains("--smooth") {
        guard let smoother = try kind.makeSmoother(settings) else {
          answer("\(name) has no offline form")
          continue
        }
        seconds = time(smoother, relevant, &attitudes)
      } else {
        seconds = time(try kind.make(settings), relevant, &attitudes)
      }
      answer("\(seconds / Double(count) * 1e9)")
    }
  }

  /// Writes the answer without buffering, because the caller waits for it.
  static func answer(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  static func time(_ filter: some AttitudeFilter, _ samples: [SensorSample], _ attitudes: inout [Quaternion]) -> Double
  {
    var filter = filter
    var row = -1
    let duration = ContinuousClock().measure {
      for index in samples.indices {
        switch samples[index].channel {
        case .gyroscope:
          row += 1
          filter.update(gyroscope: samples[index].vector, at: samples[index].time)
        case .accelerometer: filter.update(accelerometer: samples[index].vector, at: samples[index].time)
        default: filter.update(magneticField: samples[index].vector, at: samples[index].time)
        }
        // The last sample of an epoch.
        if index + 1 == samples.count || samples[index + 1].channel == .gyroscope {
          attitudes[row] = filter.estimate?.earthFromDevice ?? .identity
        }
      }
    }
    return duration / .seconds(1)
  }

  static func time(_ smoother: some AttitudeSmoother, _ samples: [SensorSample], _ attitudes: inout [Quaternion])
    -> Double
  {
    var smoother = smoother
    var row = 0
    let duration = ContinuousClock().measure {
      func takeFinal() {
        while let final = smoother.next() {
          attitudes[row] = final.estimate.earthFromDevice
          row += 1
        }
      }
      for sample in samples {
        switch sample.channel {
        case .gyroscope: smoother.update(gyroscope: sample.vector, at: sample.time)
        case .accelerometer: smoother.update(accelerometer: sample.vector, at: sample.time)
        default: smoother.update(magneticField: sample.vector, at: sample.time)
        }
        takeFinal()
      }
      smoother.finish()
      takeFinal()
    }
    return duration / .seconds(1)
  }
}
