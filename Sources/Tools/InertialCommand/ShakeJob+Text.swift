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
      let strip = strip(of: name, width: page.picture(beside: 24))
      page.line(padded(name, 16), strip, " \(count(of: name))", style: .blue)
    }
  }

  private func count(of detector: String) -> Int { gestures.count { $0.detector == detector && $0.phase == .ended } }

  private func strip(of detector: String, width: Int) -> String {
    var strip = TimeStrip(from: firstTime, to: lastTime, width: width)
    for event in gestures where event.detector == detector {
      strip.mark(from: event.start, to: event.end, event.phase == .ended ? "█" : "░")
    }
    return strip.text
  }
}
