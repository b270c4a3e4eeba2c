import Testing

@testable import InertialJobs

@Suite("Requests in JSON") struct RequestTests {
  private func message(_ request: String) -> String? {
    let failure = #expect(throws: FusionError.self) { try JobAnswer(request) }
    #expect(failure?.exitCode == 2)
    return failure?.description
  }

  @Test(
    "an invalid member of the options is refused by its path, before the log is read",
    arguments: [
      (#""rat": 1"#, "there is no member 'options.rat'; there are filter, smooths, "),
      (#""rate": "fast""#, "'options.rate' takes a number"),
      (#""rate": "NaN""#, "--rate takes a number of Hz"),
      (#""filter": 1"#, "'options.filter' takes a string"),
      (#""filter": "a\u0000b""#, "'options.filter' takes a string without NUL characters"),
      (#""smooths": 1"#, "'options.smooths' takes true or false"),
      (#""gaps": "cut""#, "'options.gaps' takes split, hold, nan, not 'cut'"),
      (#""motion": {"frame": "up"}"#, "'options.motion.frame' has an invalid value: there is no frame 'up'"),
      (#""motion": {"frme": "up"}"#, "there is no member 'options.motion.frme'; there are declination, "),
      (#""motion": 1"#, "'options.motion' takes a JSON object"),
      (#""location": {"latitude": 47}"#, "'options.location' takes latitude and longitude together"),
      (#""date": "yesterday""#, "'options.date' takes a day such as 2024-05-17"),
      (#""columns": ["time", "colour"]"#, "there is no column 'colour'"),
      (#""settings": {"tauAcc": "slow"}"#, "'options.settings.tauAcc' takes a number"),
      (#""track": {"carrying": "hand"}"#, "--on applies to the path"),
      (#""track": {"height": 3}"#, "--height takes a person's height"),
      (#""placement": "thigh""#, "--placement applies to the posture"),
      (#""sound": {"start": 1}"#, "'options.sound' takes the path of a sound file"),
      (#""bids": {"subject": "0-3"}"#, "--bids-subject takes letters and digits"),
      (#""digits": 1.5"#, "'options.digits' takes an integer, not '1.5'"),
      (#""log": {"sampleRate": -1}"#, "--sample-rate takes a number of Hz"),
      (#""log": {"axes": ["x,y"]}"#, "'options.log.axes' takes mappings such as -y,x,z"),
      (#""log": {"body": "ned"}"#, "'options.log.body' takes rfu, flu, frd, not 'ned'"),
      (#""log": {"conditions": ["left"]}"#, "'options.log.conditions' has an invalid value"),
    ])
  func options(_ member: String, _ expected: String) {
    let message = message(#"{"job": "fuse", "input": "none.csv", "options": {"# + member + "}}")
    #expect(message?.hasPrefix(expected) == true, "\(message ?? "")")
  }

  @Test(
    "an invalid request is refused",
    arguments: [
      ("", "the request is not JSON"), ("[1]", "a request takes a JSON object"), ("{}", "there is no job ''"),
      (#"{"job": "fly"}"#, "there is no job 'fly'; there are fuse, "),
      (#"{"job": "steps"}"#, "the request has no log; add the member 'input'"),
      (#"{"job": "fuse", "input": "udp://:9000"}"#, "udp://:9000 is a stream"),
      (#"{"job": "fuse", "input": "-"}"#, "standard input needs an output"),
      (#"{"job": "restore", "input": "a.csv"}"#, "restore expects the rows and the document"),
      (#"{"job": "steps", "input": "a.csv", "rate": 1}"#, "there is no member 'rate'"),
      (#"{"job": "altitude", "input": "a.csv", "rate": 1, "all": true}"#, "--rate and --all exclude each other"),
      (#"{"job": "altitude", "input": "a.csv", "floorHeight": 0}"#, "--floor-height takes 1 to 100 meters"),
      (
        #"{"job": "shake", "input": "a.csv", "sensitivity": 1, "settings": {"sensitivity": 0}}"#,
        "--sensitivity and --set sensitivity are the same"
      ),
      (#"{"job": "shake", "input": "a.csv", "maximumDuration": 0}"#, "--maximum-duration takes seconds above 0"),
      (#"{"job": "inspect", "input": "a.csv", "guesses": true, "sound": {"path": "a.wav"}}"#, "--guess does not read"),
      (#"{"job": "evaluate", "input": "a.csv", "interval": "60"}"#, "'interval' takes a time such as 60s"),
      (#"{"job": "evaluate", "input": "a.csv", "withheld": 10}"#, "--withhold applies to paths; add --task track"),
      (#"{"job": "evaluate", "input": "a.csv", "task": "track"}"#, "the evaluation of paths needs a reference"),
      (
        #"{"job": "evaluate", "input": "a.csv", "estimatePath": "b.csv", "filters": "vqf"}"#,
        "give --estimate or --filters, not both"
      ),
      (#"{"job": "evaluate", "input": "a.csv", "skip": -1}"#, "--skip takes seconds, not -1"),
      (#"{"job": "filters", "names": ["best"]}"#, "there is no filter 'best'; use one of angular-rate, "),
      (
        #"{"job": "shake", "input": "a.csv", "detectors": "refrence"}"#,
        "there is no detector 'refrence'; use reference"
      ),
      (#"{"job": "formats", "names": ["best"]}"#, "there is no format 'best'"),
    ])
  func requests(_ request: String, _ expected: String) {
    let message = message(request)
    #expect(message?.hasPrefix(expected) == true, "\(message ?? "")")
  }

  @Test("a request has the command's defaults, and its members replace them")
  func defaults() throws {
    let standard = try FusionOptions(RequestObject(json: "{}"))
    #expect(standard.motion.frame == .xArbitraryCorrectedZVertical && !standard.frameNeedsField)
    let options = try FusionOptions(
      RequestObject(
        json: """
          {"motion": {"frame": "xMagneticNorthZVertical"}, "filter": "vqf", "settings": {"tauAcc": 2},
          "recognitions": "shake, steps", "location": {"latitude": 47, "longitude": 8}, "date": "2024-01-01",
          "log": {"body": "frd", "axes": "-y,x,z", "conditions": "device=left", "columns": "time,-"}}
          """))
    #expect(options.motion.frame == .xMagneticNorthZVertical && options.frameNeedsField)
    #expect(options.settings == ["tauAcc": 2] && options.recognitions == [.steps, .shake])
    #expect(options.location == Place(latitude: 47, longitude: 8) && options.date == 2024)
    #expect(options.log.axes == [.body(.frontRightDown), SensorAxes("-y,x,z")!])
    #expect(options.log.conditions == [RowCondition("device=left")!] && options.log.columns == ["time", "-"])
  }
}
