import ArgumentParser
import Foundation
import Inertial

struct FuseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuse",
    abstract:
      "Fuse raw logs into datasets: attitude, gravity, user acceleration, rotation rate, field, heading.",
    discussion: """
      One row per gyroscope sample (or --rate), in Core Motion's units and frames. The output appears under its \
      name when it is whole.

      Examples:
        inertial fuse walk.csv
        inertial fuse LOGFOLDER -o out.csv --frame xMagneticNorthZVertical
        inertial fuse LOGFOLDER --frame xTrueNorthZVertical --date 2024-05-17
        inertial fuse imu.csv --rotation-unit deg/s --sample-rate 100
        inertial fuse a.csv b.csv -o FOLDER --filter complementary --rate 50
        inertial fuse RECORDINGS -o DATASETS --jobs 4
        inertial fuse walk.csv -o walk.h5
        inertial fuse walk.csv --format csv,npz
        inertial fuse walk.csv -o dataset --format bids --bids-subject 03 --bids-task walking
        inertial fuse LOGFOLDER --with-channels barometer,location,annotation
        inertial fuse walk.csv --sound walk.wav --sound-weighting a
        inertial fuse LOGFOLDER --with shake
        sensor | inertial fuse - --follow
        inertial fuse udp://:9000 --follow -o live.csv

      Formats:
      \(formats)

      Columns: \(FusedColumn.standard.map { "\($0.name) (\($0.unit))" }.joined(separator: ", ")). The heading is in \
      degrees, all other angles in radians.

      Further columns for --columns-out:
      \(further)

      Recognisers for --with. They run beside the fusion; each row has what was known at its time, whatever comes \
      later. Where --gaps splits the dataset they begin anew in each segment:
      \(recognisers)

      Channels for --with-channels, with the columns of each and its age in seconds:
      \(channels)
      """)

  private static var formats: String {
    """
      csv     a header and a line for each row, and nothing else; --metadata writes the facts beside it
      hdf5    a group for the recording, a dataset for each column, the facts as attributes
      npz     NumPy's archive: time, quaternion (x, y, z, w), euler (roll, pitch, yaw), gravity and so on, metadata
      bids    a folder, a dataset of BIDS-Motion; the times become the LATENCY channel, seconds since the first row
      tum     timestamp tx ty tz qx qy qz qw; the position, which is not estimated, is 0
      euroc   a folder, mav0/state_groundtruth_estimate0: attitude and gyroscope bias; all else is 0
    """.split(separator: "\n").map { "  " + $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  private static var channels: String {
    AuxiliaryChannel.allCases.map { channel in
      let columns = channel.fields.map { "\($0.name) (\($0.unit))" } + channel.textFields
      return "  \(channel.name): \(columns.joined(separator: ", "))" + (channel.isEvent ? "; in OUTPUT.events.csv" : "")
    }
    .joined(separator: "\n")
  }

  private static var recognisers: String {
    Recognition.allCases.map { recognition in
      let needs = recognition.channels.sorted().map(\.name).joined(separator: " or ")
      let columns = recognition.columns.map { "\n    \($0.name): \($0.meaning) (\($0.unit))" }.joined()
      let use =
        needs.isEmpty ? "" : recognition.needsChannels ? "; needs \(needs)" : "; uses \(needs) where the log has it"
      return "  \(recognition.rawValue): \(recognition.meaning)\(use)\(columns)"
    }
    .joined(separator: "\n")
  }

  private static var further: String {
    FusedColumn.all.dropFirst(FusedColumn.standard.count).map { "  \($0.name): \($0.meaning) (\($0.unit))" }
      .joined(separator: "\n")
  }

  @Argument(
    help: ArgumentHelp(
      "Logs: files, folders, folders with logs in them, or patterns such as 'walk*.csv'; '-' is standard input.",
      valueName: "input"))
  var inputs: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Output file; '-' is standard output; with several logs a folder; with several formats the first's name or what all begin with. Default: INPUT.fused.csv, .h5 and so on.",
      valueName: "path"))
  var output: String?

  @Option(help: ArgumentHelp("\(FilterKind.all.map(\.name).joined(separator: ", ")).", valueName: "name"))
  var filter = FilterKind.standard

  @Flag(help: "Use the filter's offline form: every attitude from the whole log, before and after.")
  var smooth = false

  @Option(
    help: ArgumentHelp("Reference frame of the attitude. Default: \(DefaultFrame.frame.name).", valueName: "frame"))
  var frame: AttitudeReferenceFrame?

  @OptionGroup var place: PlaceArguments

  @Option(help: ArgumentHelp("Rate of the output. Default: the gyroscope's own stamps.", valueName: "hz"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "Where the gyroscope pauses: split (the filter starts afresh behind the gap; a column 'segment' counts from 1), hold (it turns on at the last rate, for 10 s at most; rows at --rate are flagged), nan (rows at --rate have a time and are empty else). Without it the attitude is held across, and --rate has no rows there. Rows without --rate are always the gyroscope's own.",
      valueName: "split|hold|nan"))
  var gaps: GapPolicy?

  @Option(
    help: ArgumentHelp(
      "Time between two gyroscope samples above which it has paused; nothing is interpolated over more.",
      valueName: "s"))
  var gap = 0.5

  @Option(help: "Device axis whose bearing is the heading; automatic: as on an iPhone.")
  var pointing = PointingAxis.automatic

  @Option(
    help: ArgumentHelp(
      "Columns to write, in this order. Default: all of the standard ones. Those of --with come behind, but for recognisers of which some are named here.",
      valueName: "a,b,c"))
  var columnsOut: String?

  @Option(
    help: ArgumentHelp(
      "Channels to add as columns: all that the log has beside motion, or names; see above.", valueName: "all|a,b,c"))
  var withChannels: String?

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "What to recognise beside the fusion, as columns behind those of the motion: \(Recognition.allCases.map(\.rawValue).joined(separator: ", ")); see above.",
      valueName: "a,b,c"))
  var recognitions: String?

  @Option(
    help: ArgumentHelp(
      "\(DatasetFormat.allCases.map(\.rawValue).joined(separator: ", ")), or several with commas: all in one pass. Default: by the output's name.",
      valueName: "a,b"))
  var format: String?

  @Flag(help: "For csv and tum: write the facts about the dataset to OUTPUT.json. The other formats have them inside.")
  var metadata = false

  @Option(
    help: ArgumentHelp(
      "Significant digits (1 to 17). Default: as many as it takes to read the same number back.",
      valueName: "n"))
  var digits: Int?

  @Option(
    help: ArgumentHelp(
      "Cores to use: several logs at a time, or reading, fusing and writing of one at a time. 1: one after the other. Default: all.",
      valueName: "n"))
  var jobs: Int?

  @Flag(
    help: ArgumentHelp(
      "Go on where an earlier run was interrupted, or has failed for some logs: datasets that it made by the same options from the same files are kept. Needs -o FOLDER. With --follow: append to the file -o behind its last whole row."
    ))
  var resume = false

  @OptionGroup(title: "Following a stream") var following: FollowArguments

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Refuse a log with any bad or disordered sample, or whose sensors certainly contradict one another.")
  var strict = false

  @Flag(
    help: ArgumentHelp(
      "Estimate constant time offsets of the other sensors against the gyroscope, and take off those that are told from none. Reads the log twice; 'inertial inspect' only tells them."
    ))
  var align = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup var filterArguments: FilterArguments
  @OptionGroup(title: "BIDS") var bids: BIDSArguments
  @OptionGroup(title: "Sound") var sound: SoundArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if json, output == "-" { throw ValidationError("--json and -o - both want standard output") }
    if sound.sound != nil, inputs.count > 1 { throw ValidationError("--sound is for one log") }
    if inputs.count > 1, output == "-" { throw ValidationError("several inputs need a folder for -o") }
    try following.check(inputs: inputs, output: output, json: json, resume: resume)
    if inputs.contains("-"), output == nil, !following.follow {
      throw ValidationError("standard input needs -o PATH or -o -")
    }
    if inputs.contains("-"), align {
      throw ValidationError(
        "--align reads the log twice, which standard input cannot be; save it to a file and give that")
    }
    if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read once") }
    if let rate, !(rate > 0 && rate <= 1e6) {
      throw ValidationError("--rate takes a number of Hz above 0 and up to 1000000, not \(rate)")
    }
    if !(0.001...60).contains(gap) { throw ValidationError("--gap takes 0.001 to 60 seconds, not \(gap)") }
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number of cores, 1 or more, not \(jobs)") }
    if let digits, !(1...17).contains(digits) {
      throw ValidationError("--digits takes 1 to 17, not \(digits)")
    }
    if resume, !following.follow, output == nil || output == "-" {
      throw ValidationError("--resume needs -o FOLDER, where the manifest says what was done")
    }
  }

  func run() throws {
    let options = try fusionOptions()
    guard !following.follow else {
      return try following.run(inputs[0], output: output ?? "-", options: options, resume: resume, json: json)
    }
    let plan = try FusionPlan(inputs: inputs, output: output, format: options.formats.first ?? .csv)
    try plan.makeFolders()
    let cores = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    // Logs beside one another use the cores best; a log alone is read, fused and written at the same time.
    let work = plan.items.map { item in
      var job = FusionJob(input: item.input, output: item.output, options: options)
      job.isOverlapped = plan.items.count < cores
      return job
    }
    if plan.isBatch {
      var batch = FusionBatch(jobs: work, workerCount: cores)
      if let output { try batch.keepManifest(in: output, isResuming: resume) }
      try fuse(batch)
    } else {
      guard !resume else { throw FusionError.usage("--resume is for several logs, or a folder of them") }
      try fuse(work[0])
    }
  }

  private func fuse(_ job: FusionJob) throws {
    var bar = ProgressBar(job.input)
    defer { bar.end() }
    let report = try job.run { bar.show($0) }
    bar.end()
    let document = tell(report, of: job)
    if frame == nil, let note = DefaultFrame.note(for: report.log) { Console.note("\(job.input): \(note)") }
    if json { try printJSON(document) }
  }

  private func fuse(_ batch: FusionBatch) throws {
    var bar = ProgressBar(counted(batch.jobs.count, "log"))
    var documents: [FusionDocument] = []
    var failures: [String] = []
    var fatal: FusionError?
    var kept: [String] = []
    // Said once, and not for each log.
    var note: (text: String, count: Int)?
    try batch.run(progress: { bar.show($0) }) { index, outcome in
      bar.end()
      switch outcome {
      case .done(let report):
        documents.append(tell(report, of: batch.jobs[index]))
        if let text = DefaultFrame.note(for: report.log) { note = (text, (note?.count ?? 0) + 1) }
      case .kept: kept.append(batch.jobs[index].output)
      case .failed(let error) where error.isOfOneLog:
        // One bad log among many: told, and the others are still done.
        Console.error(error.description)
        failures.append(error.description)
      case .failed(let error): fatal = fatal ?? error
      }
    }
    bar.end()
    if frame == nil, let note { Console.note("\(counted(note.count, "log")): \(note.text)") }
    if let fatal { throw fatal }
    if json {
      try printJSON(FusionDocuments(datasets: documents, kept: kept, failures: failures))
    } else if !kept.isEmpty {
      print("kept    \(counted(kept.count, "dataset")) of an earlier run, made by the same options from the same files")
    }
    if !failures.isEmpty { throw ExitCode(1) }
  }

  /// Warnings and, where it is asked for, the summary for people.
  private func tell(_ report: FusionJob.Report, of job: FusionJob) -> FusionDocument {
    for warning in report.log.warnings { Console.warning("\(job.input): \(warning)") }
    for hint in report.log.hints { Console.note("\(job.input): \(hint)") }
    let document = FusionDocument(job, report)
    if !json { FusionSummary(document, report).print(toStandardError: job.output == "-") }
    return document
  }

  private func fusionOptions() throws -> FusionOptions {
    var options = FusionOptions()
    options.filter = filter
    options.smooths = smooth
    options.settings = try settings()
    options.motion.frame = frame ?? DefaultFrame.frame
    options.motion.field = filterArguments.field
    options.motion.pointingAxis = pointing
    let given = try place.given()
    (options.location, options.date) = (given.place, given.year)
    options.rate = rate
    options.gaps = gaps
    options.gap = gap
    if let columnsOut {
      options.columns = try FusedColumn.named(
        commaSeparated(columnsOut))
    }
    if let withChannels { options.channels = try ChannelSelection(names: commaSeparated(withChannels)) }
    if let recognitions { options.recognitions = try Recognition.list(commaSeparated(recognitions)) }
    options.sound = sound.source
    if options.sound != nil, case .only(let channels) = options.channels {
      options.channels = .only(channels.union([.microphone]))
    }
    if let format { options.formats = try DatasetFormat.list(format) }
    options.bids = try bids.entities()
    options.writesMetadata = metadata
    options.digits = digits
    options.force = force
    options.strict = strict
    options.aligns = align
    options.log = log.options
    return options
  }

  private func settings() throws -> [String: Double] {
    let settings = try ParameterSettings(words: filterArguments.settings)
    // An unknown filter is told by the job.
    guard let kind = FilterKind.named(filter) else { return settings.common }
    return try settings.resolved(for: [kind])[0]
  }
}
