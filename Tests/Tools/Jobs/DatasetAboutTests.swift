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

  @Test("what is told goes into BIDS and Croissant under their names, and what is not told is not there")
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

  @Test("a member that means nothing, a wrong type, a day that is none and what is no object are told in one line")
  func errors() {
    #expect(error("{\"licence\": \"CC0\"}")?.contains("there is no 'licence' to tell of a dataset") == true)
    #expect(error("{\"authors\": \"A\"}")?.contains("authors and sources are lists of texts") == true)
    for day in ["2026-1-1", "yesterday", "2026-11-2x"] {
      #expect(error("{\"date\": \"\(day)\"}")?.contains("date is a day such as 2026-11-23, not '\(day)'") == true)
    }
    #expect(error("{\"date\": \"2026-11-23\"}") == nil)
    for text in ["[]", "no JSON", ""] { #expect(error(text)?.contains("is no object of JSON") == true) }
  }
}
