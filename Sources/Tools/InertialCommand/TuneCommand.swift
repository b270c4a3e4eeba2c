import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct TuneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Search a filter's parameters against references, and say what they are worth on unseen recordings.",
    discussion: """
      The recordings are divided into folds. For each fold the parameters are searched on the other folds and judged \
      on this one, so that every recording is judged once by parameters that were fitted without it. That error, \
      beside that of the start (the defaults, but for --set) on the same recordings, is what a search is worth; the \
      parameters to use are fitted on all recordings at the end. Groups, such as persons, are never divided between \
      training and validation. The errors are those of 'inertial evaluate'.

      A search computes an error budget times folds plus one, each over all recordings: every parameter of 'kalman' on \
      an hour of recordings takes hours, two of 'complementary' half a minute. Begin with few parameters and a small \
      --budget; what is left is told on the way.

      Examples (the first takes half a minute for 16 recordings of two to five minutes on two cores, each of the others \
      some minutes to an hour):
        inertial tune broad/ --filter complementary --parameters accelerationTimeConstant --budget 20 --folds 4
        inertial tune broad/ --filter mekf --parameters motionWeight,magneticNoise,fieldMemory --method cma-es
        inertial tune trials/ --filter mekf --groups persons.csv --leave-one-out -o mekf.json
        inertial tune phone/ --filter kalman --parameters motionWeight --align frame --align-clock --skip 60
        inertial tune trials/ --filter complementary --frame xArbitraryZVertical --objective inclination
      """)

  @OptionGroup var judging: JudgingArguments

  @Option(help: "The filter; 'inertial filters' lists them.")
  var filter: String

  @Option(
    help: ArgumentHelp(
      "Parameters to search. Default: all of the filter's; few are found faster and hold better.",
      valueName: "a,b,c"))
  var parameters: String?

  @Option(
    help: "The error to make small: total, heading or inclination. Default: total; inclination where X is arbitrary.")
  var objective: TuningObjective?

  @Option(
    help: ArgumentHelp(
      "Folds of cross-validation. Default: 5, or as many as there are recordings or groups.",
      valueName: "k"))
  var folds: Int?

  @Flag(help: "A fold for each recording, or each group where there are groups.")
  var leaveOneOut = false

  @Option(name: .customLong("validate"), help: ArgumentHelp("", visibility: .hidden))
  var validation: String?

  @Option(help: "nelder-mead (a simplex, for few parameters) or cma-es (a population, for many).")
  var method = ParameterSearch.Method.nelderMead

  @Option(
    help: ArgumentHelp(
      "How often a search may compute the mean error. Default: 25 for each parameter, and at least 100.",
      valueName: "n"))
  var budget: Int?

  @Option(help: "Seed of everything random: the same seed gives the same result.")
  var seed: UInt64 = 1

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("File for the result as JSON, with every fold and recording.", valueName: "file"),
    transform: OutputStreams.plainName)
  var output: String?

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup var filterArguments: FilterArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if let validation {
      throw ValidationError(
        validation == "none"
          ? "there is no search without validation: the error on the recordings that parameters were fitted to says "
            + "nothing about other recordings; give --folds K or --leave-one-out"
          : "give --folds K or --leave-one-out")
    }
    if output == "-" { throw ValidationError("-o takes the path of a file; --json prints the result") }
    if folds != nil, leaveOneOut { throw ValidationError("give --folds or --leave-one-out, not both") }
    if let folds, folds < 2 { throw ValidationError("--folds takes 2 or more: \(TuningError.tooFewFolds(folds))") }
    if let budget, budget < 1 { throw ValidationError("--budget takes a number above 0, not \(budget)") }
  }

  func run() async throws {
    let inputs = try judging.logs(log.options)
    let grouping = try judging.grouping(of: inputs)
    var options = try judging.options(filterArguments, log, logCount: inputs.count)
    options.filters = [filter]
    let job = EvaluationJob(options: options)
    guard let configured = try job.filters().first else { return }
    let search = try search(configured, options, grouping)

    let file = try OutputFiles(
      [output].compactMap(\.self),
      sparing: InputGuard(
        inputs + inputs.compactMap { options.referencePath(of: $0) }
          + [judging.groups, filterArguments.noise, log.calibration].compactMap(\.self)), force: force)
    var recordings: [TuningRecording] = []
    var bar = ProgressBar("read", isLong: true)
    for (index, input) in inputs.enumerated() {
      bar.show(Double(index) / Double(inputs.count))
      let judged = try job.load(input)
      bar.end()
      tellWarnings(judged.log, of: input, align: judging.against.align)
      var comparison = options.comparison
      if judging.against.alignClock {
        // Once, with the parameters that the search begins with.
        if let shift = try job.clockShift(of: judged, by: configured) {
          comparison.clockShift = shift
        } else {
          Console.warning("\(input): the motion does not tell the clock's offset; judged as it is")
        }
      }
      do throws(EvaluationError) {
        recordings.append(
          try TuningRecording(
            name: input, group: grouping.groups[index], samples: judged.samples, reference: judged.reference,
            movement: judged.movement, configuration: job.configuration(of: judged), comparison: comparison))
      } catch {
        throw FusionError.badData("\(input): \(error.description)")
      }
    }
    bar = ProgressBar("tune \(filter)", isLong: true)
    let report: TuningReport
    do throws(TuningError) {
      report = try await search.run(on: recordings) { bar.show($0.share) }
    } catch {
      bar.end()
      throw FusionError(error)
    }
    bar.end()
    let document = TuningDocument(report, configured.kind, fixed: configured.settings)
    if let output { try file.write(jsonText(document) + "\n", to: output) }
    try file.commit()
    let names = Dictionary(uniqueKeysWithValues: zip(inputs, grouping.names))
    if json { try printJSON(document) } else { TuningTable(document, names: names).print() }
  }

  /// Everything that can be wrong with the request is told before the logs are read.
  private func search(
    _ filter: ConfiguredFilter, _ options: EvaluationJob.Options, _ grouping: RecordingGroups
  ) throws(FusionError) -> ParameterSearch {
    let objective = objective ?? (options.judgesHeading ? .total : .inclination)
    guard options.judgesHeading || objective == .inclination else {
      throw .usage(
        "the \(objective.rawValue) error says nothing in \(options.motion.frame.name), where X is arbitrary; "
          + "give --objective inclination or --align yaw")
    }
    do throws(TuningError) {
      var search = try ParameterSearch(filter.kind, parameters: parameters.map(commaSeparated))
      search.objective = objective
      search.method = method
      search.budget = budget
      search.seed = seed
      search.settings = filter.settings
      let own = grouping.groups.filter { $0 == nil }.count
      let unitCount = own + Set(grouping.groups.compactMap { $0 }).count
      search.division = leaveOneOut ? .leaveOneOut : .folds(folds ?? max(2, min(5, unitCount)))
      _ = try Folds(groups: grouping.groups, division: search.division, seed: seed)
      return search
    } catch {
      throw FusionError(error)
    }
  }
}

extension FusionError {
  fileprivate init(_ error: TuningError) {
    self = if case .noError = error { .badData(error.description) } else { .usage(error.description) }
  }
}
