import Testing

struct DecimalYearTests {
  @Test("a decimal year is the year plus its elapsed fraction")
  func calendar() throws {
    #expect(DecimalYear.of(year: 2023, month: 1, day: 1) == 2023)
    let (lastOf2023, march2024): (Double, Double) = (2023 + 364.0 / 365, 2024 + 60.0 / 366)
    #expect(DecimalYear.of(year: 2023, month: 12, day: 31) == lastOf2023)
    #expect(DecimalYear.of(year: 2024, month: 7, day: 2) == 2024.5)
    #expect(DecimalYear.of(year: 2024, month: 3, day: 1) == march2024)
    #expect(DecimalYear.of(year: 2023, month: 7, day: 2, secondsOfDay: 43_200) == 2023.5)
  }

  @Test("there is no 29 February in a common year, and no month 13")
  func impossibleDates() {
    for (year, month, day, exists) in [
      (2024, 2, 29, true), (2023, 2, 29, false), (2000, 2, 29, true), (2100, 2, 29, false), (2024, 4, 31, false),
      (2024, 13, 1, false), (2024, 1, 0, false),
    ] { #expect((DecimalYear.of(year: year, month: month, day: day) != nil) == exists, "\(year)-\(month)-\(day)") }
  }

  @Test("UNIX times and calendar dates agree with Foundation's calendar")
  func unixTime() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for time in stride(from: -3e9, through: 5e9, by: 7.654321e7) {
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: time.rounded()))
      let seconds = Double(parts.hour! * 3600 + parts.minute! * 60 + parts.second!)
      let expected = try #require(
        DecimalYear.of(year: parts.year!, month: parts.month!, day: parts.day!, secondsOfDay: seconds))
      #expect(isNear(DecimalYear.of(unixTime: time.rounded()), expected, within: 1e-10))
    }
    #expect(DecimalYear.of(unixTime: 0) == 1970 && DecimalYear.of(unixTime: 1_735_689_600) == 2025)
  }

  @Test("dates and decimal years are parsed, other words are rejected")
  func parsing() {
    #expect(DecimalYear.parse("2024-07-02") == 2024.5 && DecimalYear.parse("2024.5") == 2024.5)
    #expect(DecimalYear.parse("2024") == 2024)
    for text in ["", "today", "2024-13-01", "2024-07", "2024-07-02-01", "nan", "inf", "--"] {
      #expect(DecimalYear.parse(text) == nil)
    }
  }
}
