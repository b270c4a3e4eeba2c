import Testing

@testable import InertialEvaluation

@Suite("Events against labels") struct EventScoreTests {
  private func event(_ start: Double, _ end: Double, reportTime: Double? = nil) -> DetectedEvent {
    DetectedEvent(start: start, end: end, reportTime: reportTime ?? start)
  }

  @Test("a segment is detected by the first event that overlaps it, and the delay counts from its start")
  func found() {
    var score = EventScore(event: "shake")
    let labels = [
      LabelledSegment(start: 10, end: 20, label: "shake"), LabelledSegment(start: 30, end: 36, label: "shake"),
      LabelledSegment(start: 40, end: 49, label: "walk"),
    ]
    let events = [event(11, 14, reportTime: 11.5), event(15, 20, reportTime: 15.5), event(44, 45)]
    score.add(labels: labels, events: events, from: 0, to: 100)
    #expect(score.stretches == 2 && score.found == 1 && score.delays == [1.5])
    #expect(score.detectionRate == 0.5 && score.medianDelay == 1.5 && score.falseAlarms == 1)
    #expect(score.otherTime == 84 && isNear(score.falseAlarmsPerHour!, 3600 / 84, within: 1e-9))
    // Three windows of walking, one of which contains an event; three and two windows of the shakes.
    #expect(score.windows["walk"] == .init(count: 3, touched: 1))
    #expect(score.windows["shake"] == .init(count: 5, touched: 3))
  }

  @Test("windows can be evaluated one by one by a closure")
  func othersWindows() {
    var score = EventScore(event: "shake")
    var asked: [[Double]] = []
    score.add(
      labels: [LabelledSegment(start: 1, end: 8, label: "rest")], events: [event(0, 20)], from: 0, to: 20,
      touches: {
        asked.append([$0, $1])
        return $0 > 2
      })
    #expect(asked == [[1, 4], [4, 7]] && score.windows["rest"] == .init(count: 2, touched: 1))
  }

  @Test("an event reported before its label has no delay, and one within the tolerance is not a false alarm")
  func edges() {
    var score = EventScore(event: "shake", tolerance: 1)
    let labels = [LabelledSegment(start: 10, end: 20, label: "shake")]
    score.add(labels: labels, events: [event(9, 12, reportTime: 9.5)], from: 0, to: 30)
    #expect(score.delays == [0] && score.falseAlarms == 0)
    score.add(labels: labels, events: [event(20.5, 22)], from: 0, to: 30)
    #expect(score.found == 1 && score.stretches == 2 && score.falseAlarms == 0)
    score.add(labels: labels, events: [event(21.5, 22), event(8, 8.9)], from: 0, to: 30)
    #expect(score.falseAlarms == 2)
  }

  @Test("without labels the whole time is free of events")
  func noLabels() {
    var score = EventScore(event: "shake")
    #expect(score.detectionRate == nil && score.falseAlarmsPerHour == nil && score.medianDelay == nil)
    score.add(labels: [], events: [], from: 100, to: 3700)
    #expect(score.otherTime == 3600 && score.falseAlarmsPerHour == 0)
    #expect(isNear(score.falseAlarmBound!, 2.9957, within: 1e-3))
  }

  @Test("intervals match the tables: Wilson's for 8 of 10, Garwood's for 0, 1 and 10 events")
  func intervals() {
    let interval = EventScore.binomialInterval(8, of: 10)
    #expect(isNear(interval.lowerBound, 0.4902, within: 1e-4) && isNear(interval.upperBound, 0.9433, within: 1e-4))
    #expect(EventScore.binomialInterval(0, of: 10).lowerBound == 0)
    #expect(isNear(EventScore.binomialInterval(10, of: 10).upperBound, 1, within: 1e-12))
    for (count, bound) in [(0, 2.9957), (1, 4.7439), (10, 16.962)] {
      #expect(isNear(EventScore.poissonBound(count), bound, within: 1e-3))
    }
    // Far beyond the range in which exp(−mean) is representable.
    #expect(EventScore.poissonBound(2000) > 2000 && EventScore.poissonBound(2000) < 2100)
  }
}
