import Testing

@testable import InertialJobs

@Suite("Partitioned folders") struct PartitionedFolderTests {
  @Test("a log's folders and its name become values of keys, with escaped special characters")
  func places() throws {
    let folder = try PartitionedFolder("person,day")
    #expect(
      try folder.place(of: "ann/2024-05-17/walk.1.csv", format: .parquet)
        == "person=ann/day=2024-05-17/recording=walk.1/data.parquet")
    #expect(
      try folder.place(of: "a=b/50%/x:y?.csv", format: .csv) == "person=a%3Db/day=50%25/recording=x%3Ay%3F/data.csv")
    #expect(try PartitionedFolder("").place(of: "walk", format: .parquet) == "recording=walk/data.parquet")
  }

  @Test("a log whose number of folders differs from the number of keys is an error with both numbers")
  func depth() throws {
    let folder = try PartitionedFolder("person")
    for (name, count) in [("walk.csv", "0 folders"), ("a/b/walk.csv", "2 folders")] {
      let error = #expect(throws: FusionError.self) { try folder.place(of: name, format: .parquet) }
      #expect(error?.description.contains(count) == true && error?.description.contains("names 1") == true, "\(name)")
    }
  }

  @Test(
    "a key is a plain and unique name that no column has",
    arguments: ["1st", "a b", "per-son", ",", "a,,b", "a,a", "time", "recording", "né"])
  func keys(text: String) {
    #expect(throws: FusionError.self) { try PartitionedFolder(text) }
  }

  @Test("the description names the tables, every column and its unit, and every key")
  func description() throws {
    let options = try with(FusionOptions()) { $0.columns = try FusedColumn.named(["time", "heading", "status"]) }
    let text = try PartitionedFolder("person").croissant(name: "set", options: options).text
    for part in [
      "\"includes\" : \"person=*/recording=*/data.parquet\"", "\"@id\" : \"rows/heading\"", "sc:Integer",
      "\"regex\" : \"(?:.*/)?person=([^/]*)/\"", "timestamp of the input; s", "http://mlcommons.org/croissant/1.0",
    ] { #expect(text.contains(part), "\(part)") }
  }
}
