internal import InertialEssentials
internal import InertialFigures
internal import InertialJobs
internal import InertialLogs
internal import InertialSystem

/// Generates reports of recordings while the stream continues, one at a time. Used by the server's thread.
final class ReportGenerator {
  private var options: ReportOptions
  private let server: WebServer
  private var queue: [(path: String, client: WebClient)] = []
  private var isBusy = false
  private static let maximumQueueLength = 16

  init(options: ReportOptions, server: WebServer) {
    (self.options, self.server) = (options, server)
    self.options.force = true
  }

  func make(of path: String, for client: WebClient) -> WebAnswer {
    guard queue.count < Self.maximumQueueLength else {
      return .response(WebResponse(503, "other reports are in progress; try again"))
    }
    queue.append((path, client))
    begin()
    return .later
  }

  func forget(_ client: WebClient) { queue.removeAll { $0.client === client } }

  private func begin() {
    guard !isBusy, !queue.isEmpty else { return }
    isBusy = true
    let next = queue.removeFirst()
    let job = Job(generator: self, client: next.client, server: server, path: next.path, options: options)
    Task.detached { await job.run() }
  }

  /// A report in progress. The generator and the client are used only by the server's thread.
  private struct Job: @unchecked Sendable {
    let generator: ReportGenerator
    let client: WebClient
    let server: WebServer
    let path: String
    let options: ReportOptions

    func run() async {
      let response = await ReportGenerator.response(path, options)
      server.post { generator.end(client, response) }
    }
  }

  private func end(_ client: WebClient, _ response: WebResponse) {
    client.finish(response)
    isBusy = false
    begin()
  }

  private static func response(_ path: String, _ options: ReportOptions) async -> WebResponse {
    do throws(FusionError) {
      var options = options
      options.command = "inertial report \(path.lastPathPart)"
      // The recording may grow meanwhile: the report is of its present state.
      let copy: LogCopy
      do throws(LogError) { copy = try LogCopy(of: path) } catch { throw FusionError(error) }
      defer { withExtendedLifetime(copy) {} }
      let report = RecordingReport(
        input: copy.path, output: RecordingReport.defaultOutput(for: path), options: options)
      _ = try await report.run()
      guard let file = WebFile(path: report.output) else {
        return WebResponse(500, "\(report.output): cannot be read")
      }
      return WebResponse(file, type: "text/html; charset=utf-8")
    } catch {
      return WebResponse(422, error.description)
    }
  }
}
