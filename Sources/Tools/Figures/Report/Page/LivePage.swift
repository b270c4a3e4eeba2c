/// The page of a live stream: the parts of a report's page, with data from a connection.
package enum LivePage {
  /// Returns the page.
  ///
  /// - Parameters:
  ///   - facts: The JSON document for `live.js`.
  ///   - connections: The origins that the page may connect to, as sources of a content security policy.
  package static func html(facts: String, connections: [String]) -> String {
    var page = PageWriter(
      title: "Live – Inertial", script: PageResources.liveScript, scriptHash: PageResources.liveHash, facts: facts)
    page.connections = connections
    (page.style, page.styleHash) = (PageResources.liveStyle, PageResources.liveStyleHash)
    return page.text
  }
}
