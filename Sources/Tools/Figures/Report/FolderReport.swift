public import InertialJobs
internal import InertialLogs
internal import InertialSystem

/// A report of many logs in a folder: `index.html` with one sortable line per log, and a page for each log.
///
/// A folder is used instead of a single file because thirty recordings would be a hundred megabytes, which a browser
/// has to read before it shows the first line, and because single pages can be shared.
public struct FolderReport: Sendable {
  /// A log, and its name in the overview: its path relative to the given folder.
  public struct Recording: Sendable {
    /// The file or folder.
    public var input: String
    /// The name in the overview.
    public var name: String

    /// Creates a recording from a log and its name.
    public init(input: String, name: String) {
      self.input = input
      self.name = name
    }
  }

  /// The recordings, in the order of the overview's lines.
  public var recordings: [Recording]
  /// The output folder, which appears when it is complete, or not at all.
  public var output: String
  /// The subject of the overview, for its title.
  public var title: String
  /// The options of every page.
  public var options: ReportOptions

  /// Creates a report, which `run` generates.
  public init(recordings: [Recording], output: String, title: String, options: ReportOptions) {
    self.recordings = recordings
    self.output = output
    self.title = title
    self.options = options
  }

  /// The outcome of a log.
  public enum Outcome: Sendable {
    /// The page of the log has been generated.
    indirect case done(RecordingReport.Result)
    /// The log could not be read or fused.
    case failed(FusionError)
  }

  /// The result of a report of many logs.
  public struct Result: Sendable, Encodable {
    /// The path of the overview.
    public var overview: String
    /// The pages of the logs.
    public var reports: [RecordingReport.Result] = []
    /// The reasons for missing pages, as one message per log.
    public var failures: [String] = []
  }

  /// Generates the report.
  ///
  /// - Parameters:
  ///   - progress: A closure that is called periodically with the completed fraction, 0 to 1.
  ///   - done: A closure that is called with each log's index and outcome, in the order of the logs. The failure of a
  ///     log does not affect the others.
  /// - Returns: The paths of the overview and the pages, and the failures.
  /// - Throws: `FusionError` if the folder cannot be written, the options are invalid, or no log could be shown.
  @discardableResult public func run(
    progress: (Double) -> Void = { _ in }, done: (Int, Outcome) -> Void = { _, _ in }
  ) async throws(FusionError) -> Result {
    let folder: AtomicFolder
    let pages: String
    do throws(OutputError) {
      folder = try AtomicFolder(path: output, force: options.force)
      pages = try folder.makeFolder("recordings")
    } catch {
      throw FusionError(error)
    }
    var content = OverviewContent(title: title, command: options.command, version: ToolVersion.current)
    let names = Self.pageNames(recordings.map(\.name))
    var folderResult = Result(overview: index)
    var firstFailure: FusionError?
    for (place, recording) in recordings.enumerated() {
      var report = RecordingReport(input: recording.input, output: pages + "/" + names[place], options: options)
      report.overview = "../index.html"
      do throws(FusionError) {
        var result = try await report.run {
          progress((Double(place) + $0) / Double(recordings.count))
        }
        // The folder has a temporary name until all pages are done.
        result.output = output + "/recordings/" + names[place]
        content.add(result, name: recording.name, page: "recordings/" + names[place])
        done(place, .done(result))
        // The details of many logs would fill the memory, and their pages contain them.
        result.fusion.details = nil
        folderResult.reports.append(result)
      } catch {
        guard error.isOfOneLog else { throw error }
        firstFailure = firstFailure ?? error
        folderResult.failures.append(error.description)
        content.failures.append(.init(name: recording.name, value: error.description))
        done(place, .failed(error))
      }
    }
    if content.pages.isEmpty, let firstFailure { throw firstFailure }
    content.compare()
    do throws(OutputError) {
      let page = PageWriter(
        title: title + " – Inertial", script: PageResources.overviewScript,
        scriptHash: PageResources.overviewHash, facts: PageWriter.document(content))
      try page.write(to: AtomicFile(path: folder.place + "/index.html"))
      try folder.commit()
    } catch {
      throw FusionError(error)
    }
    return folderResult
  }

  /// The path of the overview.
  public var index: String { output + (output.hasSuffix("/") ? "" : "/") + "index.html" }

  /// The maximum length of a page's name in bytes, without ".html" and a number: a file name has at most 255.
  private static let maximumNameLength = 200

  /// Returns unique file names for the names of logs, without characters that a file name or a URL cannot contain.
  static func pageNames(_ names: [String]) -> [String] {
    var used: Set<String> = []
    return names.map { name in
      let plain = String(name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" })
      var base = plain.hasPrefix(".") ? "-" + plain : plain
      while base.utf8.count > maximumNameLength { base.removeFirst() }
      var candidate = base
      var number = 2
      while !used.insert(candidate.lowercased()).inserted {
        candidate = "\(base)-\(number)"
        number += 1
      }
      return candidate + ".html"
    }
  }
}
