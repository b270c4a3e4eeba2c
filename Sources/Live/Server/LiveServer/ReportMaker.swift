internal import InertialEssentials
internal import InertialFigures
internal import InertialJobs
internal import InertialLogs
internal import InertialSystem

/// Makes reports of recordings beside the stream, one at a time. Of the server's thread.
final class ReportMaker {
  private var options: ReportOptions
  private let server: WebServer
  private var queue: [(path: String, client: WebClient)] = []
  private var isBusy = false
  private static let longestQueue = 16

  init(options: ReportOptions, server: WebServer) {
    (self.options, self.server) = (options, server)
    self.options.force = true
  }

  func make(of path: String, for client: WebClient) -> WebAnswer {
    guard queue.count < Self.longestQueue else { return .response(WebResponse(503, "other reports are being made")) }
    queue.append((path, client))
    begin()
    return .later
  }

  func forget(_ client: WebClient) { queue.removeAll { $0.client === client } }

  private func begin() {
    guard !isBusy, !queue.isEmpty else { return }
    isBusy = true
    let next = queue.removeFirst()
    let job = Job(maker: self, client: next.client, server: server, path: next.path, options: options)
    Task.detached { await job.run() }
  }

  /// A report on its way. The maker and the client are used by the server's thread alone.
  private struct Job: @unchecked Sendable {
    let maker: ReportMaker
    let client: WebClient
    let server: WebServer
    let path: String
    let options: ReportOptions

    func run() async {
      let response = await ReportMaker.response(path, options)
      server.post { maker.end(client, response) }
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
      let report = RecordingReport(input: path, options: options)
      _ = try await report.run()
      guard let data = FileManager.default.contents(atPath: report.output) else {
        return WebResponse(500, "\(report.output): cannot be read")
      }
      return WebResponse(200, type: "text/html; charset=utf-8", body: Array(data))
    } catch {
      return WebResponse(422, error.description)
    }
  }
}
