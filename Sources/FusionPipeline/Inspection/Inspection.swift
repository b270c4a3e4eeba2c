internal import LinearAlgebra
internal import MotionLogs
internal import Sensors

/// All that is summed up of a log's good samples, in order of time, for a report on it.
struct Inspection {
  private(set) var values: [SensorChannel: ValueReport] = [:]
  private(set) var rest = RestFinder()
  private var offsets = StreamOffsetEstimator()
  private(set) var gravity = DirectionRegression(hasOffset: false)
  private(set) var field: [SensorChannel: DirectionRegression] = [
    .magnetometer: DirectionRegression(hasOffset: true), .calibratedMagneticField: DirectionRegression(hasOffset: true),
  ]
  private(set) var dip: [SensorChannel: FieldCheck] = [
    .magnetometer: FieldCheck(), .calibratedMagneticField: FieldCheck(),
  ]

  mutating func add(_ sample: SensorSample) {
    values[sample.channel, default: ValueReport()].add(sample)
    rest.add(sample)
    offsets.add(sample)
    switch sample.channel {
    case .gyroscope:
      gravity.add(rate: sample.vector, at: sample.time)
      field[.magnetometer]!.add(rate: sample.vector, at: sample.time)
      field[.calibratedMagneticField]!.add(rate: sample.vector, at: sample.time)
    case .accelerometer:
      gravity.add(direction: sample.vector)
      dip[.magnetometer]!.add(acceleration: sample.vector)
      dip[.calibratedMagneticField]!.add(acceleration: sample.vector)
    case .magnetometer, .calibratedMagneticField:
      field[sample.channel]!.add(direction: sample.vector)
      dip[sample.channel]!.add(field: sample.vector)
    default: break
    }
  }

  mutating func report(_ summary: LogSummary) -> InspectionJob.Report {
    rest.finish()
    let doctor = Doctor(summary: summary, inspection: self)
    let (findings, remarks) = doctor.examine()
    // Offsets are to the gyroscope: without one there is nothing to tell.
    let told = summary.reports[.gyroscope] == nil ? [:] : offsets.findings(for: summary.reports.keys)
    return InspectionJob.Report(
      log: summary, values: values, rest: rest.report, consistency: doctor.consistency,
      alignment: LogAlignment(findings: told), findings: findings, remarks: remarks)
  }
}
