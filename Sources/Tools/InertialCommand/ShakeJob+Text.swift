import Inertial

extension ShakeJob.Report {
  func printCSV() {
    Page.standard.line("time,detector,phase,status,method,count")
    for event in phases {
      let phase = event.phase
      Page.standard.line(
        "\(event.time),\(event.detector),\(phase.rawValue),\(phase.shakeStatusName),\(phase.motionMethodName),"
          + "\(event.count)")
    }
  }

  func print(on page: Page = .standard) {
    page.heading(log, source, duration: lastTime - firstTime)
    if gestures.isEmpty {
      page.line("No shake.")
    } else {
      var table = TextTable(
        [.init("detector", 16, isLeft: true)]
          + ["start s", "end s", "score", "Hz", "axis x", "y", "z"].map { .init($0, 9) } + [
            .init(" phase", 0, isLeft: true)
          ])
      for event in gestures {
        table.add(
          event.detector, fixed(event.start, 2), fixed(event.end, 2), fixed(event.score, 2),
          fixed(event.reason?.frequency, 1), fixed(event.axis.x, 2), fixed(event.axis.y, 2),
          fixed(event.axis.z, 2), " \(event.phase.rawValue)")
      }
      table.print(on: page)
    }
    page.line("")
    for name in detectors {
      let own = gestures.filter { $0.detector == name }
      let marks = own.map { ($0.start, $0.end, Character($0.phase == .ended ? "█" : "░")) }
      let strip = timeline(from: firstTime, to: lastTime, width: page.picture(beside: 24), marks: marks)
      page.line(padded(name, 16), strip, " \(own.count { $0.phase == .ended })", style: .blue)
    }
  }
}
