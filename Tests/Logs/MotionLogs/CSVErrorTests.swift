import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Errors of a bad CSV in one clear line") struct CSVErrorTests {
  private static let header = "time,accelerationX,accelerationY,accelerationZ"

  private func message(_ text: String, _ change: (inout LogOptions) -> Void = { _ in }) -> String? {
    let options = with(LogOptions(), change)
    return logError { () throws(LogError) in try readAll(csv(text, options)) }?.description
  }

  @Test("an empty file, a header alone and a file of blank lines are errors")
  func nothing() {
    let remedy = "give a log with a line of column names and rows of numbers"
    #expect(message("") == "log.csv: the file is empty; \(remedy)")
    let names = "\(remedy), or name the columns with --columns, with - for those to skip"
    #expect(message("\n \n\n") == "log.csv: the file has no line of column names; \(names)")
    #expect(message(Self.header) == "log.csv:1: the file has a header but no rows; give a log with samples")
    #expect(message("\n\(Self.header)\n\n") == "log.csv:2: the file has a header but no rows; give a log with samples")
  }

  @Test("text in place of a number is an error with line, column and the text")
  func text() {
    let remedy = "correct the field, or leave it empty for no sample"
    #expect(message("\(Self.header)\n0,0,0,-1\n1,0,abc,-1\n") == "log.csv:3:3: \"abc\" is not a number; \(remedy)")
    #expect(message("\(Self.header)\n0,0,1.5abc,-1\n") == "log.csv:2:3: \"1.5abc\" is not a number; \(remedy)")
    #expect(message("\(Self.header)\nx,0,0,-1\n") == "log.csv:2:1: \"x\" is not a number; \(remedy)")
    let semicolons = Self.header.replacingOccurrences(of: ",", with: ";")
    #expect(message("\(semicolons)\n0;0.5;0;-1\n1;0,5;0.5;-1") == "log.csv:3:2: \"0,5\" is not a number; \(remedy)")
    let long = String(repeating: "z", count: 100)
    #expect(
      message("\(Self.header)\n0,0,\(long),-1\n")
        == "log.csv:2:3: \"\(String(repeating: "z", count: 40))...\" is not a number; \(remedy)")
  }

  @Test("a wrong number of fields is an error with the line, the first extra or missing field, and both counts")
  func counts() {
    let (names, remedy) = (Self.header, "correct or remove the line")
    let short = message("\(names)\n0,0,0,-1\n1,0,0\n2,0,0,-1\n")
    #expect(short == "log.csv:3:4: the line has 3 fields, the header has 4; \(remedy)")
    #expect(message("\(names)\n0,0,0,-1,7,8\n") == "log.csv:2:5: the line has 6 fields, the header has 4; \(remedy)")
    #expect(message("\(names)\n0\n") == "log.csv:2:2: the line has 1 field, the header has 4; \(remedy)")
    let named = message("0,0,-1\n", { $0.columns = names.split(separator: ",").map(String.init) })
    #expect(named == "log.csv:1:4: the line has 3 fields, --columns names 4; \(remedy)")
  }

  @Test("an incomplete last line is left out and noted unless it is the only row")
  func cutOff() throws {
    var reader = try csv("\(Self.header)\n0,0,0,-1\n1,0,0")
    let samples = try reader.remainingSamples()
    #expect(samples.count == 1 && reader.description.notes == ["line 3: the last line is cut off and was left out"])
    #expect(message("\(Self.header)\n0,0") != nil)
  }

  @Test("missing columns are an error with the missing and the found names")
  func columns() {
    #expect(
      message("time,accelerationX,accelerationY\n0,0,0\n")
        == "log.csv:1:2: \"accelerationX\" has no matching column for z (found: time, accelerationX, accelerationY); "
        + "add the missing columns, or name the columns with --columns, with - for those to skip")
    #expect(
      message("time,a,b\n0,0,0\n") == "log.csv:1: no column of a known quantity (found: time, a, b); "
        + "name columns and units as in \"Gyroscope X (rad/s)\", or with --columns")
    #expect(
      message("accelerationX,accelerationY,accelerationZ\n0,0,-1\n")
        == "log.csv:1: no column of time (found: accelerationX, accelerationY, accelerationZ); "
        + "give --sample-rate HZ if the rows are evenly spaced, or name the columns with --columns")
    #expect(
      message("0,0,0,-1\n1,0,0,-1\n") == "log.csv:1: no line of column names before the numbers; "
        + "name the columns with --columns, such as --columns time,ax,ay,az,gx,gy,gz")
  }

  @Test("a missing or unknown unit in the header is an error that names the option")
  func units() {
    #expect(
      message("time,acc_x,acc_y,acc_z\n0,0,0,1\n") == "log.csv:1:2: column \"acc_x\" does not specify its unit; "
        + "give --acceleration-unit g or m/s2, or a header such as \"acc_x (m/s^2)\"")
    #expect(
      message("time,Gyro X (LSB),Gyro Y (LSB),Gyro Z (LSB)\n0,0,0,1\n")
        == "log.csv:1:2: column \"Gyro X (LSB)\" has the unknown unit \"LSB\"; "
        + "give --rotation-unit rad/s or deg/s, or a header such as \"Gyro X (rad/s)\"")
    #expect(
      message("time,mag_x,mag_y,mag_z\n0,0,0,1\n") == "log.csv:1:2: column \"mag_x\" does not specify its unit; "
        + "give --field-unit uT, nT, mT or gauss, or a header such as \"mag_x (uT)\"")
    #expect(
      message("Acc X (g),Acc Y (g),Acc Z (g),timestamp\n0,0,1,10\n")
        == "log.csv:1:4: column \"timestamp\" does not specify its unit; "
        + "give --time-unit s, ms, us or ns, or a header such as \"timestamp (s)\"")
    #expect(
      message("accelerationX,accelerationY,accelerationZ\n0,0,1\n", { $0.sampleRate = 0 })
        == "log.csv:1: the sample rate 0.0 Hz is not valid; give --sample-rate a number above 0")
  }

  @Test("if column names are given, the first line of numbers is a row")
  func givenColumns() {
    #expect(
      message("remark,1\n0,x,0,-1\n", { $0.columns = ["time", "accelerationX", "accelerationY", "accelerationZ"] })
        == "log.csv:2:2: \"x\" is not a number; correct the field, or leave it empty for no sample")
  }

  @Test("two columns of the same quantity are ambiguous")
  func doubled() {
    #expect(
      message("time,Acc X (g),Acc Y (g),Acc Z (g),Accel X (g)\n0,0,0,1,0\n")
        == "log.csv:1:5: columns \"Acc X (g)\" and \"Accel X (g)\" are the same quantity; "
        + "name the columns with --columns, with - for those to skip")
  }

  @Test("a binary file and a file of one huge line are refused with little memory")
  func binary() {
    #expect(
      message("\u{1}\u{2}\0\u{3}")
        == "log.csv:1: is not text: the line has a zero byte; give a text log, saved as UTF-8")
    #expect(message(String(repeating: ",", count: 1 << 16))?.hasPrefix("log.csv:1: no column of a known") == true)
    #expect(
      message(String(repeating: ",", count: 1 << 20))?.hasPrefix("log.csv:1: the line is longer than 65536") == true)
  }
}
