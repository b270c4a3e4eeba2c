import Foundation
import TestSupport
import Testing

@testable import InertialFigures

@Suite("The page's frame") struct PageWriterTests {
  @Test("nothing in JSON ends its element or begins a comment, and it is the same JSON")
  func json() throws {
    let hostile = "{\"a\":\"</script><script>alert(1)</script><!-- \u{2028}\u{2029}\"}"
    let escaped = PageWriter.json(hostile)
    #expect(!escaped.contains("<") && !escaped.contains("\u{2028}"))
    let (one, other) = try (read(escaped), read(hostile))
    #expect(one == other && one["a"]?.contains("</script>") == true)
  }

  private func read(_ text: String) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }

  @Test("a title is text")
  func title() {
    #expect(PageWriter.escaped("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#39;")
  }

  @Test("scripts and style are complete, cannot end early, request nothing and create no elements from text")
  func resources() {
    let words = [
      "</", "<!--", "http:", "https:", "//cdn", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
      "eval(", "url(", "@import", "fetch(", "XMLHttpRequest", "import(",
    ]
    for text in [PageResources.recordingScript, PageResources.overviewScript, PageResources.style] {
      #expect(text.count > 1000)
      // Names of formats, from which nothing is loaded; and the reference of a saved drawing to its own part.
      let names = ["http://www.w3.org/2000/svg", "http://www.topografix.com/GPX/1/1", "http://www.opengis.net/kml/2.2"]
      let rest = names.reduce(text) { $0.replacing($1, with: "") }.replacing("url(#", with: "")
      for word in words { #expect(!rest.contains(word), "\(word)") }
    }
    // Parts that a second page stands on.
    for name in ["class Source", "class TimePlot", "class Device", "class Player", "function gridTable"] {
      #expect(PageResources.recordingScript.contains(name), "\(name)")
    }
  }

  @Test("the hashes of a page's policy are the SHA-256 of its scripts and styles", .needs(.python))
  func hashes() throws {
    let program = """
      import base64, hashlib, sys
      print("sha256-" + base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())
      """
    let texts = [
      ("recordingScript", PageResources.recordingScript, PageResources.recordingHash),
      ("overviewScript", PageResources.overviewScript, PageResources.overviewHash),
      ("liveScript", PageResources.liveScript, PageResources.liveHash),
      ("style", PageResources.style, PageResources.styleHash),
      ("liveStyle", PageResources.liveStyle, PageResources.liveStyleHash),
    ]
    for (name, text, hash) in texts {
      let computed = try Program.run("python3", ["-c", program], input: text)
      #expect(computed.output == hash + "\n", "\(name) \(computed.errors)")
    }
  }
}
