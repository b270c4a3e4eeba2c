import ArgumentParser
import Inertial
import InertialEssentials
import InertialFigures
import InertialSystem

struct PlotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Plot publication figures: quantities of a log or dataset over time, errors, accuracy against cost.",
    discussion: """
      A log is read and fused as by 'inertial fuse', with the same options. The columns of a CSV dataset written by fuse \
      are plotted unchanged, unless --filters selects other filters. Figure sizes are in millimetres and font sizes in \
      points, as journals require; lines differ in colour, lightness and dash pattern.

      Quantities:
        attitude, gravity, userAcceleration, rotationRate, magneticField, quaternion, attitudeSigma, gyroscopeBias, or
        any column by its name ('inertial help columns')
        path, in plan view with its 95 % confidence region, and pathHeight, over time, as estimated by 'inertial track'
        accelerometer, gyroscope, magnetometer, or any channel or field of the log but events ('inertial help channels')
        error, headingError, inclinationError, errorDistribution, accuracy (against cost): with a reference, in the log or
        with --reference, as in 'inertial evaluate'; the default frame is then xMagneticNorthZVertical

      Examples:
        inertial plot walk.csv --quantity attitude -o attitude.pdf
        inertial plot walk.csv --quantity userAcceleration,rotationRate --mark shake,rest --from 2 --to 20 -o walk.svg
        inertial plot walk.csv --quantity yaw --filters kalman,vqf,madgwick --width 183 --height 60 -o yaw.svg
        inertial plot trial.hdf5 --quantity error,errorDistribution --filters kalman,vqf --greyscale -o error.pdf
        inertial plot trial.hdf5 --quantity accuracy -o accuracy.svg
        inertial plot walk.fused.csv --quantity gravity -o gravity.png --dpi 600
        inertial plot SHOE.csv --quantity path,pathHeight --on foot -o path.pdf
      """)

  @Argument(help: ArgumentHelp("A log or dataset: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(
    help: ArgumentHelp(
      "The quantities to plot, separated by commas, one per panel. Default: attitude.", valueName: "a,b,c"))
  var quantity = "attitude"

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The output file: .svg, .pdf or .png; - is standard output. Default: INPUT.plot.svg.", valueName: "path"),
    transform: AtomicFile.plainName)
  var output: String?

  @Option(help: ArgumentHelp("The output format: svg, pdf or png. Default: by the output's name.", valueName: "format"))
  var format: Figure.Format?

  @Option(
    help: ArgumentHelp(
      "The filters to compare, one line per filter; replaces --filter. Several columns then get separate panels.",
      valueName: "a,b,c"))
  var filters: String?

  // Unconditional: the value may begin with a minus sign.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The start of the plotted interval, in seconds. Default: the start of the log.", valueName: "s"))
  var from: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The end of the plotted interval, in seconds. Default: the end of the log.", valueName: "s"))
  var to: Double?

  @Option(
    help: ArgumentHelp(
      "The events to mark: \(PlotMark.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "a,b,c"))
  var mark: String?

  @Option(
    help: ArgumentHelp(
      "The half-width of the band around roll, pitch, yaw and heading, in standard deviations of the filter; 0: no band. Default: 1; 0 for several filters.",
      valueName: "n"))
  var sigma: Double?

  @Flag(help: "Plot angles in radians, as in datasets. Default: degrees.")
  var radians = false

  @Flag(help: "Unwrap angles at full turns.")
  var unwrap = false

  @Flag(help: "Plot time relative to the first sample; always used for logs with dates as timestamps.")
  var relativeTime = false

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Figure layout") var page: PageArguments
  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Path") var track: PathArguments
  @OptionGroup(title: "Reference") var reference: ReferenceArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "Input interpretation") var sound: SoundArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if json, output == "-" { throw ValidationError("--json and -o - both use standard output; leave one out") }
    if input == "-", output == nil { throw ValidationError("standard input needs -o PATH or -o -") }
    if output == "-", format == nil { throw ValidationError("-o - needs --format svg, pdf or png") }
    if let sigma, !(0...100).contains(sigma) {
      throw ValidationError("--sigma takes 0 to 100 standard deviations, not \(sigma)")
    }
    if let from, let to, !(from < to) { throw ValidationError("--from must be before --to") }
    if let from, !from.isFinite { throw ValidationError("--from takes a number of seconds") }
    if let to, !to.isFinite { throw ValidationError("--to takes a number of seconds") }
  }

  func run() async throws {
    let path = output ?? Self.defaultOutput(for: input, format: format ?? .svg)
    guard let format = format ?? Figure.Format(path: path) else {
      throw FusionError.usage(
        "\(path): the name does not determine the figure format; use a name that ends in .svg, .pdf or .png, or --format"
      )
    }
    if page.dpi != nil, format != .png {
      throw FusionError.usage("--dpi is for png: \(format.rawValue) has no pixels; leave it out")
    }
    var job = try job()
    (job.output, job.format) = (path, format)
    // Checked before the log is read.
    let file = try OutputFiles([path], sparing: InputGuard(job.inputs), force: force)
    var bar = ProgressBar(input)
    let report: PlotJob.Report
    do {
      defer { bar.end() }
      report = try await job.run { bar.show($0) }
    }
    try writeFigure(report.figure, as: format, to: file, path)
    try file.commit()
    for warning in report.log?.warnings ?? [] { Console.warning("\(input): \(warning)") }
    for note in report.notes { Console.note(note) }
    if json { try printJSON(report) } else if path != "-" { report.print() }
  }

  private func job() throws -> PlotJob {
    let quantities = try commaSeparated(quantity).map { name in try PlotQuantity(name) }
    var job = PlotJob(input: input, quantities: quantities)
    if let filters { job.filters = commaSeparated(filters) }
    job.settings = try attitude.parameters.parameterSettings()
    job.options = try FusionOptions(attitude, quality, log, track: track.options, resolvesSettings: false)
    job.options.sound = sound.source
    job.options.startsAtZero = relativeTime
    (job.from, job.to) = (from, to)
    if let mark { job.marks = try PlotMark.list(commaSeparated(mark)) }
    job.sigma = sigma ?? (job.filters.count > 1 ? 0 : 1)
    (job.isRadian, job.unwraps) = (radians, unwrap)
    job.style = page.style
    job.evaluation.motion = job.options.motion
    job.evaluation.motion.frame = attitude.frame ?? EvaluationJob.Options().motion.frame
    job.evaluation.smooths = attitude.smooth
    job.evaluation.given = try attitude.place.given()
    reference.apply(to: &job.evaluation)
    if let reference = reference.reference { try job.evaluation.setReference(reference, logCount: 1) }
    return job
  }

  /// Returns the default path of the figure: next to the input.
  static func defaultOutput(for input: String, format: Figure.Format) -> String {
    input.withoutSlashesAtEnd + ".plot." + format.rawValue
  }
}

/// The size and appearance of a figure.
struct PageArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The width of the figure, in mm. Default: 89, a common column width.", valueName: "mm"))
  var width: Double?

  @Option(help: ArgumentHelp("The height of the figure, in mm. Default: by the number of panels.", valueName: "mm"))
  var height: Double?

  @Option(help: ArgumentHelp("The font size, in points. Default: 8.", valueName: "pt"))
  var fontSize: Double?

  @Flag(help: "Use shades of grey instead of colours.")
  var greyscale = false

  @Option(help: ArgumentHelp("The resolution of a PNG, in pixels per inch. Default: 300.", valueName: "n"))
  var dpi: Double?

  func validate() throws {
    func check(_ value: Double?, _ option: String, _ range: ClosedRange<Int>, _ unit: String) throws {
      guard let value, !(Double(range.lowerBound)...Double(range.upperBound)).contains(value) else { return }
      throw ValidationError("\(option) takes \(range.lowerBound) to \(range.upperBound) \(unit), not \(value)")
    }
    try check(width, "--width", 20...1000, "mm")
    try check(height, "--height", 20...2000, "mm")
    try check(fontSize, "--font-size", 3...72, "pt")
    try check(dpi, "--dpi", 30...2400, "pixels per inch")
  }

  var style: Figure.Style {
    var style = Figure.Style()
    (style.width, style.height, style.fontSize) = (width ?? 89, height, fontSize ?? 8)
    (style.isGreyscale, style.dotsPerInch) = (greyscale, dpi ?? 300)
    return style
  }

  /// The first of these options that was given, or `nil` if none was.
  var given: String? {
    firstGiven([
      "--width": width != nil, "--height": height != nil, "--font-size": fontSize != nil, "--greyscale": greyscale,
      "--dpi": dpi != nil,
    ])
  }
}

extension PlotJob.Report {
  /// Prints the human-readable summary.
  func print() {
    Page.standard.line(
      "wrote   \(job.output): \(counted(figure.panels.count, "panel")) of \(counted(sampleCount, "sample"))")
    for panel in figure.panels {
      let series = panel.seriesNames.filter { !$0.isEmpty }.joined(separator: ", ")
      Page.standard.line("        \(panel.y.label)\(series.isEmpty ? "" : ": \(series)")")
    }
  }
}
