import ArgumentParser
import Inertial
import InertialSystem

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Report problems and contents of a log: format, streams, clocks, gaps, units, signs, axes, rest, bias.",
    discussion: """
      The problems come first, each with the option that fixes it. Then, for each channel:
        samples     the used samples: neither missing, impossible nor repeated
        rate        the mean sample rate over the whole channel, including gaps
        median      the median interval between samples
        jitter      the standard deviation of the intervals, without gaps (over 0.5 s)
        spread      the width of the central 90 % of the intervals, relative to the median
        gaps        intervals of more than 0.5 s; the first five with their time and line
        disordered  samples older than the previous sample in the file
        repeated    samples with the timestamp of another sample: dropped if equal, else retimed
        norm        the median magnitude of the vectors, as read
        at it       the fraction of samples with exactly the smallest, or largest, value: a high fraction means clipping
        step        the resolution: values are integer multiples of it; - = not found
        equal run   the longest run of samples with exactly the same values

      The gyroscope is compared with the recorded attitude, with gravity and with the magnetic field, for all 48
      permutations and signs of its axes and for scales from 1/57 to 57. Gravity is the mean acceleration over two seconds,
      rotated by the rates; a different interpretation is reported if it is more likely over the whole log, by odds of
      at least 400 to 1, than the log's own axes and than no rotation at all. The field is compared by its rotation over
      half a second: 'agrees' if the log's own axes explain at least 30 %, 'contradicts' if others explain at least 45 %
      and at least 30 % more than the log's own axes, else 'silent'. Rotations do not determine the sign of the
      acceleration; the recorded gravity does, or the dip of the field, which is positive in the northern hemisphere.

      'fuse' runs the same checks during fusion, and warns of certain problems.

      With --guess the data determine the open options: columns, units, rate, signs and axes. The complete command is
      printed, with the test and the certainty of each option: 'certain' and 'likely' by a test, 'open' if no test
      determines the option and the usual value is used.
      """
  )

  @Argument(help: ArgumentHelp("A log: file or folder.", valueName: "input"))
  var input: String

  @Flag(help: "Print the complete command that the data determine, with the test of each option.")
  var guess = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Sound") var sound: SoundArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    guard guess else { return }
    try validated { try LogGuess.check(hasSound: sound.sound != nil, hasCalibration: log.calibration != nil) }
  }

  func run() throws {
    let options = try log.options
    let report = try ProgressBar.during(input) { progress in
      guard guess else {
        return try InspectionReport(path: input, options: options, sound: sound.source, progress: progress)
      }
      return try LogGuess.decide(path: input, options: options)
    }
    if json { try printJSON(report) } else { report.print() }
  }
}
