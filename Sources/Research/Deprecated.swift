// The old names of public declarations.

extension SceneStudy {
  @available(*, deprecated, renamed: "setsNoiseParameters")
  public var tellsNoise: Bool {
    get { setsNoiseParameters }
    set { setsNoiseParameters = newValue }
  }
}

extension SigmaCoverage.Component {
  @available(*, deprecated, renamed: "fractionInsideOne")
  public var shareInsideOne: Double { fractionInsideOne }

  @available(*, deprecated, renamed: "fractionInsideTwo")
  public var shareInsideTwo: Double { fractionInsideTwo }
}

extension ParameterSearch.Progress {
  @available(*, deprecated, renamed: "fraction")
  public var share: Double { fraction }
}
