import Testing

@testable import InertialCommand

@Suite("Progress reports outside a terminal") struct ProgressTests {
  @Test("ten seconds have no report, a minute has three, and hours have one every five minutes")
  func pace() {
    func lines(of duration: Double) -> [Double] {
      var bar = ProgressBar("", isLong: true)
      return stride(from: 0, through: duration, by: 0.5).filter { bar.isDue(after: $0) }
    }
    #expect(lines(of: 9.5).isEmpty && lines(of: 60) == [10, 20, 40])
    #expect(lines(of: 720) == [10, 20, 40, 80, 160, 320, 620])
    #expect(zip(lines(of: 3600), lines(of: 3600).dropFirst()).allSatisfy { $1 - $0 <= 300 })
  }

  @Test("rare progress values are reported when they arrive")
  func seldom() {
    var bar = ProgressBar("", isLong: true)
    #expect(bar.isDue(after: 73) && !bar.isDue(after: 100) && bar.isDue(after: 500) && !bar.isDue(after: 799))
  }
}
