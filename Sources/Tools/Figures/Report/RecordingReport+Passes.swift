internal import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
internal import InertialJobs
internal import InertialLogs
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

// The passes over the recordings: the fusion of the shown filter, of others and of a second recording, and the evaluation.

extension RecordingReport {
  /// The columns of the rows, without those of the log's other channels.
  static let columns = [
    "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw", "gravityX", "gravityY",
    "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ", "rotationRateX", "rotationRateY",
    "rotationRateZ", "magneticFieldX", "magneticFieldY", "magneticFieldZ", "magneticFieldAccuracy", "heading",
    "attitudeSigmaX", "attitudeSigmaY", "attitudeSigmaZ", "gyroscopeBiasX", "gyroscopeBiasY", "gyroscopeBiasZ",
    "status",
  ]
  /// The columns of each recogniser that are drawn; its events are marked.
  static let recognised: [Recognition: [String]] = [
    .activity: ["motionActivity"], .steps: ["stepCount", "stepCadence"],
    .altitude: ["filteredAltitude", "filteredAltitudeSigma", "verticalSpeed", "verticalSpeedSigma"],
    .shake: ["shakeProbability"],
  ]

  /// Fuses a recording.
  ///
  /// - Parameter isOverlay: Whether it is drawn over the report's recording, without details, a path and a comparison.
  func fuse(
    _ input: String, isOverlay: Bool = false, _ progress: (Double) -> Void
  ) throws(FusionError) -> (FusionJob.Report, RowCollector) {
    var fusion = options.fusion
    fusion.use(options.filters[0])
    if !options.isRecognitionGiven, LogFormat.isRobot(input) { fusion.recognitions.removeAll(where: \.isOfPerson) }
    fusion.columns = try FusedColumn.named(
      Self.columns + fusion.recognitions.flatMap { Self.recognised[$0] ?? [] }
        + options.filters[0].kind.measurementKinds(smoothing: fusion.smooths).flatMap {
          $0.reportColumns(innovations: options.showsInnovations)
        })
    let findsPath = !isOverlay && fusion.recognitions.contains(.track)
    fusion.recognitions.removeAll { $0 == .track }
    let keepsAttitudes = !isOverlay && options.filters.count > 1
    let limit = options.hasAllSamples ? Int.max : isOverlay ? Self.overlaySamples : Self.keptSamples
    let (gap, needsNorth) = (fusion.gap, fusion.motion.frame.isNorthReferenced)
    var intake: RowCollector?
    let report = try FusionJob(input: input, output: output, options: fusion).run(
      into: { columns in
        let fresh = RowCollector(
          columns: columns, gap: gap, limit: limit, keepsAttitudes: keepsAttitudes, needsNorth: needsNorth)
        intake = fresh
        return fresh
      }, isDetailed: !isOverlay, findsPath: findsPath, progress: progress)
    guard let intake, intake.rowCount > 0 else {
      throw .badData(
        "\(input): no attitude could be estimated, so there is nothing to show; check the log with 'inertial inspect'")
    }
    return (report, intake)
  }

  /// Adds the lines of a second recording to the plots, from the start of the first one.
  func add(
    _ overlay: String, over table: TraceTable, to plots: inout [RecordingContent.Plot],
    _ tables: inout [(name: String, table: TraceTable)]
  ) throws(FusionError) {
    var other = try fuse(overlay, isOverlay: true) { _ in }.1.table
    if let start = table.times.first, let own = other.times.first { other.shift(by: start - own) }
    let places = table.columns.map { column in other.columns.firstIndex { $0.name == column.name } }
    for index in plots.indices {
      let known = plots[index].series
      plots[index].series += known.compactMap { series in
        let parts = (series.parts ?? []).compactMap { places[$0] }
        guard let column = places[series.column], parts.count == series.parts?.count ?? 0 else { return nil }
        var dashed = series
        (dashed.table, dashed.column, dashed.parts) = (tables.count, column, series.parts == nil ? nil : parts)
        (dashed.sigma, dashed.sigmaFactor, dashed.isDashed) = (nil, nil, true)
        dashed.label += " of \(overlay.lastPathPart)"
        dashed.look = series.look ?? known.firstIndex { $0.label == series.label }
        return dashed
      }
    }
    tables.append((overlay.lastPathPart, other))
  }

  /// Returns whether a log has a magnetic field.
  private func hasField(_ log: LogSummary) -> Bool {
    [SensorChannel.magnetometer, .calibratedMagneticField].contains { (log.reports[$0]?.used ?? 0) > 0 }
  }

  /// Returns the Earth's field at the place and date of the recording, or `nil` if one of them is unknown or the log has
  /// no field to compare with it. The log is opened again for a place or a date that is not given.
  func earthField(_ log: LogSummary) -> (strength: Double, dip: Double)? {
    guard hasField(log) else { return nil }
    let fusion = options.fusion
    return PlaceAndDate(place: fusion.location, year: fusion.date).completed(byLog: input, options: fusion.log)
      .earthField
  }

  /// Returns the comparison of the path with its reference, or `nil` if there is no reference or no path.
  func pathReference(
    _ details: FusionJob.Details, epoch: Double?, _ warnings: inout [String]
  ) throws(FusionError) -> PathContent.Reference? {
    guard let name = options.track.evaluation.referencePath(of: input),
      case .success(let path)? = details.path, let track = path.track,
      let found = try options.track.comparison(
        of: track, epoch: epoch, origin: path.geographicFrame, with: input, &warnings)
    else { return nil }
    return PathContent.Reference(
      name: name.lastPathPart, track: found.reference, comparison: found.comparison,
      clockShift: options.track.evaluation.comparison.clockShift)
  }

  /// Returns the path, and adds the plot and the table of its height; returns `nil` if the path was not requested.
  func addPath(
    _ details: FusionJob.Details, _ reference: PathContent.Reference?, origin: Double,
    to plots: inout [RecordingContent.Plot],
    _ tables: inout [(name: String, table: TraceTable)]
  ) -> RecordingContent.Path? {
    guard let finding = details.path else { return nil }
    let found = PathContent(finding, origin: origin, limit: Self.errorSamples, reference: reference)
    var path = RecordingContent.Path(note: found.note, chart: found.chart, plots: [])
    if let table = found.table {
      path.plots = [plots.count]
      var series = [
        RecordingContent.Series(
          table: tables.count, column: 0, label: "height", factor: 1, sigma: 1, sigmaFactor: 1,
          look: SeriesStyle.neutral)
      ]
      if found.hasFloors {
        series.append(.init(table: tables.count, column: 2, label: "floor", factor: 1, look: SeriesStyle.neutral + 1))
      }
      plots.append(
        RecordingContent.Plot(
          title: "Height of the path", unit: "m", series: series,
          note: "Above its start. Band: 95 % confidence interval.")
      )
      tables.append(("path", table))
    }
    return path
  }

  func difference(
    of filter: ConfiguredFilter, from first: RowCollector, _ progress: (Double) -> Void
  ) throws(FusionError) -> TraceTable {
    var fusion = options.fusion
    (fusion.filter, fusion.settings) = (filter.kind.name, filter.settings)
    (fusion.recognitions, fusion.channels) = ([], .none)
    fusion.columns = try FusedColumn.named(DifferenceCollector.columns)
    var intake: DifferenceCollector?
    _ = try FusionJob(input: input, output: output, options: fusion).run(
      into: { columns in
        let fresh = DifferenceCollector(
          from: first, gap: fusion.gap, width: columns.count, limit: Self.errorSamples)
        intake = fresh
        return fresh
      }, isDetailed: false, progress: progress)
    guard let intake else { preconditionFailure("a fusion that ends has had a table") }
    return intake.table
  }

  var isReferenceGiven: Bool {
    options.evaluation.referencePath != nil || options.evaluation.referenceName != nil
  }

  func hasReference(_ log: LogSummary) -> Bool {
    isReferenceGiven || (log.reports[.referenceAttitude]?.used ?? 0) > 0
  }

  func judge(
    _ log: LogSummary, _ progress: (Double) -> Void
  ) async throws(FusionError) -> (result: EvaluationJob.Result, options: EvaluationJob.Options) {
    var evaluation = options.evaluation
    evaluation.log = options.fusion.log
    evaluation.smooths = options.fusion.smooths
    evaluation.filters = options.filters.map(\.kind.name)
    evaluation.settings = ParameterSettings()
    evaluation.settings.own = Dictionary(
      options.filters.map { ($0.kind.name, $0.settings) }, uniquingKeysWith: { first, _ in first })
    evaluation.motion.field = options.fusion.motion.field
    evaluation.keepsErrors = true
    // The cost of a single filter has nothing to be compared with, and without it the same log yields the same page.
    evaluation.measuresCost = evaluation.measuresCost && options.filters.count > 1
    if !options.isFrameGiven {
      evaluation.motion.frame = hasField(log) ? .xMagneticNorthZVertical : .xArbitraryZVertical
    }
    return (try await EvaluationJob(options: evaluation).runConcurrently(on: input, progress: progress), evaluation)
  }

  static func note(_ options: EvaluationJob.Options) -> String {
    var parts = ["Filters were evaluated in the frame \(options.motion.frame.name)"]
    if options.comparison.alignment != .none { parts.append("with --align \(options.comparison.alignment.rawValue)") }
    if options.comparison.clockAlignment != nil { parts.append("with --align-clock") }
    let text = parts.joined(separator: ", ") + "."
    return options.judgesHeading
      ? text
      : text
        + " X is arbitrary there, so total and heading errors are meaningless; use --align yaw to fit the difference."
  }

  static func errorPlot(_ title: String, table: Int, hasHeading: Bool = true) -> RecordingContent.Plot {
    let names = hasHeading ? ["total", "heading", "inclination"] : ["inclination"]
    return RecordingContent.Plot(
      title: title, unit: "°",
      series: names.map { name in
        RecordingContent.Series(
          table: table, column: ["total", "heading", "inclination"].firstIndex(of: name)!, label: name, factor: 1,
          look: SeriesStyle.neutral + ["total", "heading", "inclination"].firstIndex(of: name)!)
      })
  }
}
