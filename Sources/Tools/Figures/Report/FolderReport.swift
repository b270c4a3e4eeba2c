public import InertialJobs
internal import InertialLogs
internal import InertialSystem

/// Many logs to a folder: `index.html` with a line for each, sortable, and a page of its own for each behind it.
///
/// A folder, and not one file: thirty recordings would be a hundred megabytes that a browser has to read before it shows
/// the first line, and single pages can be sent on.
public struct FolderReport: Sendable {
  /// A log, and what it is called in the overview: its path below the folder that was given.
  public struct Recording: Sendable {
    /// File or folder.
    public var input: String
    /// What the overview calls it.
    public var name: String

    /// A log with its name.
    public init(input: String, name: String) {
      self.input = input
      self.name = name
    }
  }

  /// In the order of the overview's lines.
  public var recordings: [Recording]
  /// The folder; it appears when it is whole, or not at all.
  public var output: String
  /// What the overview is of, for its title.
  public var title: String
  /// The same for every page.
  public var options: ReportOptions

  /// A report that is yet to be made; see `run`.
  public init(recordings: [Recording], output: String, title: String, options: ReportOptions) {
    self.recordings = recordings
    self.output = output
    self.title = title
    self.options = options
  }

  /// What became of a log.
  public enum Outcome: Sendable {
    /// Its page is made.
    case done(RecordingReport.Result)
    /// It could not be read or fused.
    case failed(FusionError)
  }

  /// - Parameters:
  ///   - progress: called now and then with the share that is done, 0 to 1.
  ///   - done: called with each log's place and outcome, in the order of the logs. One that fails does not keep the
  ///     others from being done.
  /// - Throws: where the folder cannot be written, the request is at fault, or no log could be shown.
  public func run(
    progress: (Double) -> Void = { _ in }, done: (Int, Outcome) -> Void = { _, _ in }
  ) async throws(FusionError) {
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
    var firstFailure: FusionError?
    for (place, recording) in recordings.enumerated() {
      var report = RecordingReport(input: recording.input, output: pages + "/" + names[place], options: options)
      report.overview = "../index.html"
      do throws(FusionError) {
        let result = try await report.run {
          progress((Double(place) + $0) / Double(recordings.count))
        }
        content.add(result, name: recording.name, page: "recordings/" + names[place])
        done(place, .done(result))
      } catch {
        guard error.isOfOneLog else { throw error }
        firstFailure = firstFailure ?? error
        content.failures.append(.init(name: recording.name, value: error.description))
        done(place, .failed(error))
      }
    }
    if content.pages.isEmpty, let firstFailure { throw firstFailure }
    do throws(OutputError) {
      let page = PageWriter(
        title: title + " – Inertial", script: PageResources.overviewScript, facts: PageWriter.document(content))
      try page.write(to: AtomicFile(path: folder.place + "/index.html"))
      try folder.commit()
    } catch {
      throw FusionError(error)
    }
  }

  /// The overview's file in the folder.
  public var index: String { output + (output.hasSuffix("/") ? "" : "/") + "index.html" }

  /// Bytes of a page's name, without ".html" and a number: a file's name has 255 at most.
  private static let longestName = 200

  /// Names of files for names of logs: without what a file's name or an address cannot have, and each once.
  static func pageNames(_ names: [String]) -> [String] {
    var used: Set<String> = []
    return names.map { name in
      let plain = String(name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" })
      var base = plain.hasPrefix(".") ? "-" + plain : plain
      while base.utf8.count > longestName { base.removeFirst() }
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
