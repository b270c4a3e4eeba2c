import Testing

@testable import InertialJobs

struct DatasetAboutTests {
  private func about(_ text: String) throws(FusionError) -> DatasetAbout {
    try DatasetAbout(json: Array(text.utf8), name: "about.json")
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
    let options = with(FusionOptions()) { $0.about = all }
    let described = try PartitionedFolder("person").croissant(name: "folder", options: options).text
    #expect(described.contains("\"license\" : \"CC0-1.0\"") && described.contains("\"name\" : \"walks\""))
  }

  @Test("an unknown member, a wrong type, an invalid date and invalid JSON are errors of one line")
  func errors() {
    func fails(_ text: String, _ words: String) {
      let error = #expect(throws: FusionError.self, "\(text)") { try about(text) }
      #expect(error?.description.contains(words) == true, "\(text): \(String(describing: error))")
    }
    fails(#"{"licence": "CC0"}"#, "unknown member 'licence'")
    fails(#"{"authors": "A"}"#, "authors and sources must be lists of strings")
    for day in ["2026-1-1", "yesterday", "2026-11-2x"] {
      fails("{\"date\": \"\(day)\"}", "the date '\(day)' is not valid")
    }
    for text in ["[]", "no JSON", ""] { fails(text, "is not a JSON object") }
    #expect(throws: Never.self) { try about(#"{"date": "2026-11-23"}"#) }
  }
}
