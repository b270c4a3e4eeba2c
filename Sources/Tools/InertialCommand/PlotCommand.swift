import ArgumentParser
import Inertial
import InertialEssentials
import InertialFigures

struct PlotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw a figure for a paper: quantities of a log or dataset over time, errors, accuracy against cost.",
    discussion: """
      A log is read and fused as 'inertial fuse' does it, with the same options. Of a dataset that fuse wrote as CSV the \
      columns are drawn as they are, unless --filters asks for something else. A figure has its size in millimetres and \
      its words in points, as journals ask for; lines differ in colour, in lightness and in strokes.

      Quantities:
        attitude, gravity, userAcceleration, rotationRate, magneticField, quaternion, attitudeSigma, gyroscopeBias, or
        any column by its name ('inertial help columns')
        path, from above with what holds it with 95 %, and pathHeight, over time, as 'inertial track' finds them
        accelerometer, gyroscope, magnetometer, or any channel or field that the log has ('inertial help channels')
        error, headingError, inclinationError, errorDistribution, accuracy (against cost): with a reference, in the log or
        with --reference, as 'inertial evaluate' judges; the frame is then xMagneticNorthZVertical unless --frame says
        otherwise

      Examples:
        inertial plot walk.csv --quantity attitude -o attitude.pdf
        inertial plot walk.csv --quantity userAcceleration,heading --mark shake,rest --from 2 --to 20 -o walk.svg
        inertial plot walk.csv --quantity yaw --filters kalman,vqf,madgwick --width 183 --height 60 -o yaw.svg
        inertial plot trial.hdf5 --quantity error,errorDistribution --filters kalman,vqf --greyscale -o error.pdf
        inertial plot trial.hdf5 --quantity accuracy -o accuracy.svg
        inertial plot walk.fused.csv --quantity gravity -o gravity.png --dpi 600
        inertial plot SHOE.csv --quantity path,pathHeight --on foot --smooth -o path.pdf
      """)

  @Argument(help: ArgumentHelp("A log or dataset: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(
    help: ArgumentHelp("What to draw, a panel each: names with commas between. Default: attitude.", valueName: "a,b,c"))
  var quantity = "attitude"

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The figure: .svg, .pdf or .png; - is standard output. Default: INPUT.plot.svg.", valueName: "path"),
    transform: OutputStreams.plainName)
  var output: String?

  @Option(help: ArgumentHelp("svg, pdf or png. Default: by the output's name.", valueName: "format"))
  var format: Figure.Format?

  @Option(
    help: ArgumentHelp(
      "Filters to compare, each a line; in place of --filter. Several columns then get a panel each.",
      valueName: "a,b,c"))
  var filters: String?

  // Unconditional: the value may begin with a minus sign.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The first second shown. Default: the first there is.", valueName: "s"))
  var from: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The last second shown. Default: the last there is.", valueName: "s"))
  var to: Double?

  @Option(
    help: ArgumentHelp(
      "What to mark: \(PlotMark.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "a,b,c"))
  var mark: String?

  @Option(
    help: ArgumentHelp(
      "Half the width of the band around roll, pitch, yaw and heading, in standard deviations of the filter's own; 0 leaves it out. Default: 1, and 0 for several filters.",
      valueName: "n"))
  var sigma: Double?

  @Flag(help: "Angles in radians, as in datasets. Default: degrees.")
  var radians = false

  @Flag(help: "Angles go on after a turn, instead of beginning anew.")
  var unwrap = false

  @Flag(help: "Time from 0 on: that of the first sample is taken off. So it is of logs whose time is a date.")
  var relativeTime = false

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "The page") var page: PageArguments
  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Attitude") var place: PlaceArguments
  @OptionGroup(title: "Attitude") var filterArguments: FilterArguments
  @OptionGroup(title: "Path") var carrying: CarryingArguments
  @OptionGroup(title: "Path") var person: PersonArguments
  @OptionGroup(title: "Reference") var reference: ReferenceArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "What a log cannot say") var sound: SoundArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if json, output == "-" { throw ValidationError("--json and -o - both want standard output") }
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
        "\(path): the name does not say what a figure is written as; let it end in .svg, .pdf or .png, or give --format"
      )
    }
    if page.dpi != nil, format != .png {
      throw FusionError.usage("--dpi is for png: \(format.rawValue) has no pixels; leave it out")
    }
    let job = try job()
    // Before the log is read.
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
    let document = PlotDocument(input: input, output: path, format: format, report)
    if json { try printJSON(document) } else if path != "-" { document.print() }
  }

  private func job() throws -> PlotJob {
    let quantities = try commaSeparated(quantity).map { name in try PlotQuantity(name) }
    var job = PlotJob(input: input, quantities: quantities)
    if let filters { job.filters = commaSeparated(filters) }
    job.settings = try filterArguments.parameterSettings()
    job.options = try FusionOptions(attitude, place, filterArguments, quality, log, settles: false)
    job.options.sound = sound.source
    job.options.track = TrackOptions(carrying, height: person.personHeight)
    job.options.startsAtZero = relativeTime
    (job.from, job.to) = (from, to)
    if let mark { job.marks = try PlotMark.list(commaSeparated(mark)) }
    job.sigma = sigma ?? (job.filters.count > 1 ? 0 : 1)
    (job.isRadian, job.unwraps) = (radians, unwrap)
    job.style = page.style
    job.evaluation.motion = job.options.motion
    job.evaluation.motion.frame = attitude.frame ?? EvaluationJob.Options().motion.frame
    job.evaluation.smooths = attitude.smooth
    job.evaluation.given = try place.given()
    reference.apply(to: &job.evaluation, logCount: 1)
    return job
  }

  /// The figure's name where none is given: beside the input.
  static func defaultOutput(for input: String, format: Figure.Format) -> String {
    var path = input
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".plot." + format.rawValue
  }
}

/// The size of a figure, and how it is drawn.
struct PageArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Width. Default: 89, a column of many journals.", valueName: "mm"))
  var width: Double?

  @Option(help: ArgumentHelp("Height. Default: by the number of panels.", valueName: "mm"))
  var height: Double?

  @Option(help: ArgumentHelp("Size of all words. Default: 8.", valueName: "pt"))
  var fontSize: Double?

  @Flag(help: "Shades of grey in place of colours.")
  var greyscale = false

  @Option(help: ArgumentHelp("Pixels to the inch of a PNG. Default: 300.", valueName: "n"))
  var dpi: Double?

  func validate() throws {
    if let width, !(20...1000).contains(width) { throw ValidationError("--width takes 20 to 1000 mm, not \(width)") }
    if let height, !(20...2000).contains(height) {
      throw ValidationError("--height takes 20 to 2000 mm, not \(height)")
    }
    if let fontSize, !(3...72).contains(fontSize) {
      throw ValidationError("--font-size takes 3 to 72 pt, not \(fontSize)")
    }
    if let dpi, !(30...2400).contains(dpi) {
      throw ValidationError("--dpi takes 30 to 2400 pixels to the inch, not \(dpi)")
    }
  }

  var style: Figure.Style {
    var style = Figure.Style()
    (style.width, style.height, style.fontSize) = (width ?? 89, height, fontSize ?? 8)
    (style.isGreyscale, style.dotsPerInch) = (greyscale, dpi ?? 300)
    return style
  }

  /// The first of these options that was given; nil if none was.
  var given: String? {
    width != nil
      ? "--width"
      : height != nil
        ? "--height" : fontSize != nil ? "--font-size" : greyscale ? "--greyscale" : dpi.map { _ in "--dpi" }
  }
}

/// What `plot` drew, as one JSON document and for people.
private struct PlotDocument: Encodable {
  struct Panel: Encodable {
    var x: String
    var y: String
    var series: [String]
  }

  var input: String
  var output: String
  var format: String
  /// Millimetres.
  var width: Double
  var panels: [Panel]
  var samples: Int
  /// The log's time that is 0 on the axis, seconds.
  var timeOrigin: Double
  var warnings: [String]
  var notes: [String]

  init(input: String, output: String, format: Figure.Format, _ report: PlotJob.Report) {
    (self.input, self.output, self.format) = (input, output, format.rawValue)
    width = report.figure.style.width
    panels = report.figure.panels.map { panel in
      Panel(
        x: panel.x.label, y: panel.y.label,
        series: panel.lines.map(\.name) + panel.points.flatMap { $0.labels.isEmpty ? [$0.name] : $0.labels })
    }
    samples = report.sampleCount
    timeOrigin = report.timeOrigin
    warnings = report.log?.warnings ?? []
    notes = report.notes
  }

  func print() {
    Page.standard.line("wrote   \(output): \(counted(panels.count, "panel")) of \(counted(samples, "sample"))")
    for panel in panels {
      let series = panel.series.filter { !$0.isEmpty }.joined(separator: ", ")
      Page.standard.line("        \(panel.y)\(series.isEmpty ? "" : ": \(series)")")
    }
  }
}
