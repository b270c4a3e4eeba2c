import Testing

@testable import InertialJobs

struct DatasetAboutTests {
  private func about(_ text: String) throws(FusionError) -> DatasetAbout {
    try DatasetAbout(json: Array(text.utf8), name: "about.json")
  }

  private func error(_ text: String) -> String? {
    do {
      _ = try about(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("given facts appear in BIDS and Croissant under their names, and missing facts are omitted")
  func members() throws {
    let all = try about(
      """
      {"name": "walks", "authors": ["A", "B"], "license": "CC0-1.0", "citation": "c", "date": "2026-11-23",
       "version": "1.0.0", "url": "u", "sources": ["s"], "bids": {"HEDVersion": "8.3.0"}}
      """)
    #expect(
      all.bidsMembers.keys.sorted()
        == ["Authors", "HEDVersion", "HowToAcknowledge", "License", "Name", "SourceDatasets"])
    #expect(
      all.croissantMembers.keys.sorted()
        == ["citeAs", "creator", "datePublished", "license", "name", "url", "version"])
    let none = try about("{}")
    #expect(none.bidsMembers.isEmpty && none.croissantMembers.isEmpty)
    var options = FusionOptions()
    options.about = all
    let described = try PartitionedFolder("person").croissant(name: "folder", options: options).text
    #expect(described.contains("\"license\" : \"CC0-1.0\"") && described.contains("\"name\" : \"walks\""))
  }

  @Test("an unknown member, a wrong type, an invalid date and invalid JSON are errors of one line")
  func errors() {
    #expect(error("{\"licence\": \"CC0\"}")?.contains("unknown member 'licence'") == true)
    #expect(error("{\"authors\": \"A\"}")?.contains("authors and sources must be lists of strings") == true)
    for day in ["2026-1-1", "yesterday", "2026-11-2x"] {
      #expect(error("{\"date\": \"\(day)\"}")?.contains("the date '\(day)' is not valid") == true)
    }
    #expect(error("{\"date\": \"2026-11-23\"}") == nil)
    for text in ["[]", "no JSON", ""] { #expect(error(text)?.contains("is not a JSON object") == true) }
  }
}
