/// The page of a live stream: the parts of a report's page, fed by a connection.
package enum LivePage {
  /// - Parameters:
  ///   - facts: JSON that `live.js` reads.
  ///   - connections: where the page may connect to, as sources of a content security policy.
  package static func html(facts: String, connections: [String]) -> String {
    var page = PageWriter(title: "Live – Inertial", script: PageResources.liveScript, facts: facts)
    page.connections = connections
    page.style = PageResources.liveStyle
    return page.text
  }
}
