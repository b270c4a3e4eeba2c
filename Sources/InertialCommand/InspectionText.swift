import Foundation
import Inertial

/// The same for people: what is wrong first, then what is there.
extension InspectionDocument {
  func print() {
    Swift.print("\(path): \(formatDescription)")
    printFindings()
    if let recognition { printWrapped("  \(format): recognised by ", recognition, indent: 4) }
    for note in notes { Swift.print("  \(note)") }
    if let clock { printWrapped("  clock: ", clock.description, indent: 4) }
    if let epoch { Swift.print("  time 0 is UNIX time \(fixed(epoch, 3)) s") }
    Swift.print("")
    printClocks()
    printValues()
    if let auxiliary { Self.print(auxiliary) }
    printRest()
    printConsistency()
    if !alignment.isEmpty {
      Swift.print("time offsets against the gyroscope:")
      for entry in alignment { Swift.print("  \(entry.sentence)") }
    }
    if !warnings.isEmpty {
      Swift.print("")
      for warning in warnings { Swift.print("note: \(warning)") }
    }
    for remark in remarks { Swift.print("note: \(remark)") }
  }

  private func printFindings() {
    Swift.print("")
    if findings.isEmpty {
      Swift.print("Nothing looks wrong.")
    } else {
      for finding in findings { Swift.print("! \(finding)") }
    }
    Swift.print("")
  }

  private func printClocks() {
    Swift.print(
      padded("channel", 26), right("samples"), right("rate Hz"), right("median ms"), right("jitter ms"),
      right("spread"), right("gaps"), right("start s"), right("end s"), right("disordered"), right("repeated"))
    for channel in channels {
      Swift.print(
        padded(channel.name, 26), right("\(channel.used)"), right(fixed(channel.rate, 2)),
        right(channel.quality.map { fixed($0.medianInterval * 1000, 3) } ?? "-"),
        right(fixed(channel.jitter * 1000, 3)),
        right(channel.quality.map { fixed($0.intervalSpread * 100, 1) + " %" } ?? "-"), right("\(channel.gaps)"),
        right(channel.firstTime.map { fixed($0, 2) } ?? "-"), right(channel.lastTime.map { fixed($0, 2) } ?? "-"),
        right("\(channel.outOfOrder)"), right("\(channel.repeated + channel.setApart)"))
      for gap in channel.quality?.gaps ?? [] {
        let line = gap.line > 0 ? ", to line \(gap.line)" : ""
        Swift.print("  gap of \(fixed(gap.duration, 3)) s at \(fixed(gap.time, 3)) s\(line)")
      }
    }
    if let overlap { Swift.print("all motion sensors from \(fixed(overlap.start, 2)) to \(fixed(overlap.end, 2)) s") }
    Swift.print("")
  }

  private func printValues() {
    Swift.print(
      padded("channel", 26), right("norm"), right("smallest"), right("at it"), right("largest"), right("at it"),
      right("step"), right("equal run"), right("zeros"), " unit")
    for channel in channels {
      guard let quality = channel.quality else { continue }
      for (place, axis) in quality.axes.enumerated() {
        let isFirst = place == 0
        Swift.print(
          padded(isFirst ? channel.name : "", 24), padded(axis.name, 1),
          right(isFirst ? Self.short(quality.medianNorm, 5) : ""), right(Self.short(axis.smallest, 5)),
          right(Self.percent(axis.shareAtSmallest)), right(Self.short(axis.largest, 5)),
          right(Self.percent(axis.shareAtLargest)), right(axis.step.map { Self.short($0, 4) } ?? "-"),
          right(isFirst ? "\(quality.longestConstantRun.count)" : ""), right(isFirst ? "\(quality.zeros)" : ""),
          isFirst ? " \(channel.unit)" : "")
      }
    }
    Swift.print("")
  }

  private func printRest() {
    guard !rest.phases.isEmpty else {
      Swift.print("rest: none of two seconds or more")
      return
    }
    let total = rest.phases.reduce(0) { $0 + $1.end - $1.start }
    Swift.print(
      "rest: \(rest.phases.count) phase\(rest.phases.count == 1 ? "" : "s"), \(fixed(total, 1)) s in all, "
        + "the first at \(fixed(rest.phases[0].start, 1)) s")
    if let bias = rest.gyroscopeBias {
      Swift.print("  gyroscope bias \(fixed(bias.x, 5)), \(fixed(bias.y, 5)), \(fixed(bias.z, 5)) rad/s")
    }
    if let norm = rest.accelerationNorm { Swift.print("  acceleration \(fixed(norm, 4)) g") }
  }

  private func printConsistency() {
    func line(_ what: String, _ rates: ConsistencyReport.Rates) {
      let scale = rates.scale.map { ", rates times \(Self.short($0, 3))" } ?? ""
      // Where the motion does not tell, a share would be none of it.
      let share = rates.scale == nil ? "" : ", \(fixed(rates.share * 100, 0)) % explained"
      Swift.print("gyroscope and \(what): \(rates.verdict)\(scale)\(share)")
    }
    line("gravity", consistency.gravity)
    if let field = consistency.field { line("magnetic field", field) }
    if let strength = consistency.fieldStrength, let dip = consistency.dip {
      Swift.print("magnetic field: \(fixed(strength, 1)) µT, \(fixed(dip, 1))° below the horizon")
    }
  }

  private static func print(_ auxiliary: [Auxiliary]) {
    for channel in auxiliary {
      // Events come when they come: they have no rate.
      Swift.print(
        padded(channel.name, 26), right("\(channel.used)"), right(channel.isEvent ? "-" : fixed(channel.rate, 2)),
        right("-"), right("-"), right("-"), right("-"), right(channel.firstTime.map { fixed($0, 2) } ?? "-"),
        right(channel.lastTime.map { fixed($0, 2) } ?? "-"), right("\(channel.outOfOrder)"),
        right("\(channel.repeated)"))
      for field in channel.fields {
        guard let smallest = field.smallest, let largest = field.largest else { continue }
        let unit = field.unit == "1" ? "" : " \(field.unit)"
        Swift.print("  \(padded(field.name, 24)) \(short(smallest, 9)) to \(short(largest, 9))\(unit)")
      }
    }
    Swift.print("")
  }

  private static func percent(_ share: Double) -> String { fixed(share * 100, 2) + " %" }

  private static func short(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)g", value) }

  private static func right(_ text: String) -> String { padded(text, 10, left: true) }

  private func right(_ text: String) -> String { Self.right(text) }
}
