import Testing

@Suite struct ParetoFrontTests {
  @Test("a member is on the front if no other one is better in one respect without being worse in the other")
  func front() {
    let members = ParetoFront.members([(1, 9), (2, 5), (3, 6), (4, 1), (4, 2), (1, 10)])
    #expect(members == [true, true, false, true, false, false])
  }

  @Test("equal members are on the front together, and members without both figures are not on it")
  func edges() {
    #expect(
      ParetoFront.members([(2, 3), (2, 3), (nil, 1), (1, nil), (.nan, 1), (1, .infinity)])
        == [true, true, false, false, false, false])
    #expect(ParetoFront.members([]).isEmpty && ParetoFront.members([(1, 1)]) == [true])
  }
}
