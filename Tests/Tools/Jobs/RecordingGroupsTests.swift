import Testing

@Suite struct RecordingGroupsTests {
  @Test("folders are groups if there are several and one has more than one recording")
  func automatic() {
    let several = RecordingGroups(["data/A/1.csv", "data/A/2.csv", "data/B/1.csv"])
    #expect(several.groups == ["A", "A", "B"] && several.names == ["A/1.csv", "A/2.csv", "B/1.csv"])
    let alone = RecordingGroups(["data/A/log.csv", "data/B/log.csv"])
    #expect(alone.groups == [nil, nil] && alone.names == ["A/log.csv", "B/log.csv"])
    let one = RecordingGroups(["data/1.csv", "data/2.csv"])
    #expect(one.groups == [nil, nil] && one.names == ["1.csv", "2.csv"])
  }

  @Test("the rule folder makes every folder a group, and the rule none makes no groups")
  func rules() {
    let paths = ["/x/A/log.csv", "/x/B/log.csv", "/x/top.csv"]
    #expect(RecordingGroups(paths, by: .folder).groups == ["A", "B", "."])
    #expect(RecordingGroups(["/x/A/1", "/x/A/2", "/x/B/1/"], by: .none).groups == [nil, nil, nil])
    #expect(RecordingGroups(["log.csv"], by: .folder).names == ["log.csv"] && RecordingGroups([]).groups.isEmpty)
  }

  @Test("the first pattern that matches a path, its end, its name or its name without extension determines the group")
  func table() throws {
    let paths = ["d/personA_walk.csv", "d/personA_run.csv", "d/personB_walk.csv", "e/trial/"]
    let table = "# kind\n\npersonA_run,fast\npersonA_*.csv,A\r\nd/*,B\ntrial, last one\n"
    let groups = try RecordingGroups(paths, table: table, path: "groups.csv")
    #expect(groups.groups == ["A", "fast", "B", "last one"])
    let missing = #expect(throws: FusionError.self) {
      try RecordingGroups(paths, table: "personA*,A", path: "groups.csv")
    }
    #expect(missing?.description.contains("d/personB_walk.csv") == true && missing?.exitCode == 1)
    let line = #expect(throws: FusionError.self) { try RecordingGroups(paths, table: "\n*", path: "groups.csv") }
    #expect(line?.description.hasPrefix("groups.csv:2: the line has no comma") == true)
  }
}
