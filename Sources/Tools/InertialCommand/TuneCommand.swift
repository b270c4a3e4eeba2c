import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct TuneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Tune a filter's parameters against references, and report their accuracy on unseen recordings.",
    discussion: """
      The recordings are divided into folds. For each fold, the parameters are fitted on the other folds and validated \
      on this one, so every recording is evaluated once with parameters that were fitted without it. The result of the \
      search is this error, compared with the error of the start (the defaults, except --set) on the same recordings; \
      the final parameters are fitted on all recordings. Groups, such as participants, are never divided between \
      training and validation. The errors are computed as in 'inertial evaluate'.

      A search computes up to budget times (folds plus one) errors, each over all recordings: all parameters of 'kalman' \
      on an hour of recordings take hours, two parameters of 'complementary' half a minute. Start with few parameters \
      and a small --budget; the remaining time is shown during the search.

      Examples (the first takes half a minute for 16 recordings of two to five minutes on two cores, each of the others \
      some minutes to an hour):
        inertial tune broad/ --filter complementary --parameters accelerationTimeConstant --budget 20 --folds 4
        inertial tune broad/ --filter mekf --parameters motionWeight,magneticNoise,fieldMemory --method cma-es
        inertial tune trials/ --filter mekf --groups persons.csv --leave-one-out -o mekf.json
        inertial tune phone/ --filter kalman --parameters motionWeight --align frame --align-clock --skip 60
        inertial tune trials/ --filter complementary --frame xArbitraryZVertical --objective inclination
      """)

  @OptionGroup var judging: EvaluationArguments

  @Option(help: "The filter to tune; 'inertial filters' lists the filters.")
  var filter: String

  @Option(
    help: ArgumentHelp(
      "The parameters to tune. Default: all; few parameters are faster and generalise better.",
      valueName: "a,b,c"))
  var parameters: String?

  @Option(
    help: "The error to minimise: total, heading or inclination. Default: total; inclination if X is arbitrary.")
  var objective: TuningObjective?

  @Option(
    help: ArgumentHelp(
      "The number of cross-validation folds. Default: 5, or the number of recordings or groups if smaller.",
      valueName: "k"))
  var folds: Int?

  @Flag(help: "Use one fold per recording, or per group if there are groups.")
  var leaveOneOut = false

  @Option(name: .customLong("validate"), help: ArgumentHelp("", visibility: .hidden))
  var validation: String?

  @Option(help: "The search method: nelder-mead (a simplex, for few parameters) or cma-es (a population, for many).")
  var method = ParameterSearch.Method.nelderMead

  @Option(
    help: ArgumentHelp(
      "The maximum number of error evaluations per search. Default: 25 per parameter, and at least 100.",
      valueName: "n"))
  var budget: Int?

  @Option(help: "The random seed: the same seed gives the same result.")
  var seed: UInt64 = 1

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The output file for the result as JSON, with every fold and recording.", valueName: "file"),
    transform: AtomicFile.plainName)
  var output: String?

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup var filterArguments: FilterArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if let validation {
      throw ValidationError(
        validation == "none"
          ? "a search needs validation: the error on the recordings used for fitting does not predict the error on other "
            + "recordings; use --folds K or --leave-one-out"
          : "--validate is not supported; use --folds K or --leave-one-out")
    }
    if output == "-" { throw ValidationError("-o takes the path of a file; --json prints the result") }
    if folds != nil, leaveOneOut { throw ValidationError("give --folds or --leave-one-out, not both") }
    if let folds, folds < 2 { throw ValidationError("--folds takes 2 or more: \(TuningError.tooFewFolds(folds))") }
    if let budget, budget < 1 { throw ValidationError("--budget takes a number above 0, not \(budget)") }
  }

  func run() async throws {
    var request = try judging.request(filterArguments, log)
    request.evaluation.filters = [filter]
    let inputs = try request.logs(warn: Console.warning)
    let grouping = try request.grouping(of: inputs)
    let job = try request.job(logCount: inputs.count)
    let options = job.options
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
      warnings(about: judged.log, of: input, align: judging.against.align).forEach(Console.warning)
      var comparison = options.comparison
      if judging.against.alignClock {
        // Estimated once, with the initial parameters of the search.
        if let shift = try job.clockShift(of: judged, by: configured) {
          comparison.clockShift = shift
        } else {
          Console.warning("\(input): the motion does not determine the clock offset; evaluated without a correction")
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
      report = try await search.run(on: recordings) { bar.show($0.fraction) }
    } catch {
      bar.end()
      throw FusionError(error)
    }
    bar.end()
    let document = report.document(fixed: configured.settings)
    if let output { try file.write(jsonText(document) + "\n", to: output) }
    try file.commit()
    let names = Dictionary(uniqueKeysWithValues: zip(inputs, grouping.names))
    if json { try printJSON(document) } else { report.print(names: names) }
  }

  /// Creates the search. All errors of the request are reported before the logs are read.
  private func search(
    _ filter: ConfiguredFilter, _ options: EvaluationJob.Options, _ grouping: RecordingGroups
  ) throws(FusionError) -> ParameterSearch {
    let objective = objective ?? (options.judgesHeading ? .total : .inclination)
    guard options.judgesHeading || objective == .inclination else {
      throw .usage(
        "the \(objective.rawValue) error is undefined in \(options.motion.frame.name), because X is arbitrary; "
          + "use --objective inclination or --align yaw")
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
