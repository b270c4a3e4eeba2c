import Testing

@testable import InertialServe

@Suite("QR codes") struct QRCodeTests {
  @Test("a code's size depends on its string, it has three finders, and a string that is too long has no code")
  func size() throws {
    #expect(LivePageRenderer.code("a")?.count == 21)
    #expect(LivePageRenderer.code(String(repeating: "a", count: 14))?.count == 21)
    #expect(LivePageRenderer.code(String(repeating: "a", count: 15))?.count == 25)
    #expect(LivePageRenderer.code(String(repeating: "a", count: 213))?.count == 57)
    #expect(LivePageRenderer.code(String(repeating: "a", count: 3000)) == nil)
    let rows = try #require(LivePageRenderer.code("http://192.168.1.20:8000/0123456789abcdefghjkmnpqrs/push"))
    let code = rows.map { $0.map { $0 == "1" } }
    #expect(code.allSatisfy { $0.count == code.count })
    for (row, column) in [(0, 0), (0, code.count - 7), (code.count - 7, 0)] {
      #expect((0..<7).allSatisfy { code[row][column + $0] })
      #expect(code[row + 3][column + 3] && !code[row + 1][column + 1])
    }
  }
}
