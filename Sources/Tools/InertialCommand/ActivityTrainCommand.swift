import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct ActivityTrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train an activity model on your own labels, evaluated on data sets that are left out.",
    discussion: """
      Labels: a CSV file with the columns start, end (seconds on the log's clock) and label; recording (the name of the \
      log's file or folder) for several logs; person: a participant, whose name starts with the data set's and a hyphen. \
      Each data set is evaluated with a model that was trained without it. Labels for stationary (sitting, standing, \
      lying, kneeling), walking, running, and other motion (gesture, handling, exercise) are used, others are ignored; \
      cycling and vehicles are detected by physical rules.

      Example:
        inertial activity train --labels labels.csv LOGS -o my-model.json
        inertial activity walk.csv --model my-model.json
      """)

  @Argument(help: ArgumentHelp("Logs: files, folders, folders with logs in them, or patterns.", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("The CSV file with the labels.", valueName: "file"))
  var labels: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output file for the model.", valueName: "model.json"),
    transform: AtomicFile.plainName)
  var output: String?

  @Flag(help: "Only report the accuracy on data sets that are left out, without writing a model.")
  var crossValidate = false

  @Option(help: "The name of the model.")
  var name = "activity"

  @Option(help: ArgumentHelp("The number of random units of the model; 0: plain ridge regression.", valueName: "count"))
  var units = ActivityTrainer.Parameters().unitCount

  @Option(
    help: ArgumentHelp(
      "The number of altered copies of each log (sample rate, cadence, strength, noise, gyroscope).", valueName: "count"
    ))
  var copies = 3

  @Option(help: "The seed of the random units.")
  var seed: UInt64 = 1

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if output == "-" { throw ValidationError("-o takes the path of a file; use --json to print the results") }
    if output == nil, !crossValidate { throw ValidationError("give -o model.json, or --cross-validate") }
    if !(0...100).contains(copies) { throw ValidationError("--copies takes a count up to 100, not \(copies)") }
    if !(0...20_000).contains(units) { throw ValidationError("--units takes a count up to 20000, not \(units)") }
  }

  func run() throws {
    let paths = try LogFeed.readableLogs(of: inputs, log.options, warn: Console.warning)
    let file = try OutputFiles(
      crossValidate ? [] : [output].compactMap(\.self), sparing: InputGuard(paths + [labels]), force: force)
    var job = ActivityTrainingJob(inputs: paths, labels: try EventLabels(path: labels))
    job.log = try log.options
    (job.name, job.copies) = (name, copies)
    var parameters = job.trainer.parameters
    (parameters.unitCount, parameters.seed) = (units, seed)
    job.trainer = ActivityTrainer(parameters: parameters)
    var report = try ProgressBar.during("\(paths.count) logs") { try job.run(progress: $0) }
    if let output, !crossValidate {
      try file.write(String(decoding: report.model.json(), as: UTF8.self) + "\n", to: output)
      try file.commit()
      report.output = output
    }
    if json { try printJSON(report) } else { report.print() }
  }
}

extension ActivityTrainingJob.Report {
  func print() {
    let activities = validation.confusion().labels
    Page.standard.line(
      "\(windows.values.reduce(0, +)) windows of \(counted(persons, "participant")), each data set left out of the training of its model\n"
    )
    Page.standard.line(
      padded("data set", 14), right("macro F1", 9), activities.map { right($0, 12) }.joined(separator: " "))
    for set in sets.map(Optional.some) + [nil] {
      let matrix = validation.confusion(of: set)
      Page.standard.line(
        padded(set ?? "all", 14), right(fixed(matrix.macroF1, 4), 9),
        activities.map { right(fixed(matrix.f1($0), 4), 12) }.joined(separator: " "))
    }
    Page.standard.line("\nmean surprise of the right activity \(fixed(validation.surprise, 4))")
    if let output { Page.standard.line("\n\(output) is written") }
  }
}
