import ArgumentParser
import Inertial
import InertialSystem

struct InspectCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Say what looks wrong with a log, and what is in it: format, streams, clocks, gaps, units, signs, axes, rest, bias.",
    discussion: """
      First what looks wrong, with the option that mends it. Then, for each channel:
        samples     that were used: neither missing, impossible nor repeated
        rate        samples a second over the whole channel, gaps included
        median      the middle one of the times between samples
        jitter      standard deviation of the times between samples, gaps (over 0.5 s) left out
        spread      width of the middle nine tenths of these times, as a share of the median
        gaps        times between samples of more than 0.5 s; the first five with their time and line
        disordered  samples older than the one before them in the file
        repeated    samples of a time that another had: dropped if equal, else set apart
        norm        the middle one of the vectors' lengths, as read
        at it       share of the samples that have exactly the smallest, or largest, value: many mean a clipped sensor
        step        the resolution: values are whole multiples of it; - = none found
        equal run   the longest run of samples with exactly the same values

      The gyroscope is compared with the log's own attitude, with gravity and with the magnetic field, for all 48 ways to
      name and direct its axes and for scales from 1/57 to 57. Gravity is the acceleration's mean over two seconds, turned
      by the rates; a reading is told where it is likelier over the whole log, by odds of 400 to 1 or more, than the log's
      own axes and than no turning at all. The field is compared by how it turns over half seconds: 'agrees' where the
      log's own axes explain 30 % or more, 'contradicts' where others explain 45 % or more and at least 30 % more than its
      own. Else 'silent'. The sign of the acceleration cannot be told by turning; the log's own gravity tells it, or the
      field's dip, which is positive in the northern hemisphere.

      'fuse' looks for the same as it goes, and warns of what is certain.

      With --guess the data decide what the log leaves open: columns, units, the rate, signs and axes. The command is printed,
      and for each of its options the test that determines it, and the certainty: 'certain' and 'likely' by a test, 'open'
      if no test determines it and the usual value is used.
      """
  )

  @Argument(help: ArgumentHelp("A log: file or folder.", valueName: "input"))
  var input: String

  @Flag(help: "Print the complete command that the log's data determine, and the test of each option.")
  var guess = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Sound") var sound: SoundArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    guard guess else { return }
    if sound.sound != nil { throw ValidationError("--guess does not read a sound file; leave --sound out") }
    if log.calibration != nil {
      throw ValidationError("--guess decides by the log alone; leave --calibration out, and add it to the command")
    }
  }

  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> InspectionDocument {
    let options = try access.applied(to: log.options)
    if guess {
      let (guess, report) = try LogGuess.decide(path: input, options: options)
      var document = InspectionDocument(report)
      document.guess = InspectionDocument.Guess(guess)
      return document
    }
    var job = InspectionJob(path: input, options: options)
    job.sound = sound.source
    return InspectionDocument(try job.run(progress: progress))
  }

  func run() throws {
    let document = try documentWithBar(input)
    if json { try printJSON(document) } else { document.print() }
  }
}
