// The old names of public declarations.

extension SceneStudy {
  /// The old name of `setsNoiseParameters`.
  @available(*, deprecated, renamed: "setsNoiseParameters")
  public var tellsNoise: Bool {
    get { setsNoiseParameters }
    set { setsNoiseParameters = newValue }
  }
}

extension SigmaCoverage.Component {
  /// The old name of `fractionInsideOne`.
  @available(*, deprecated, renamed: "fractionInsideOne")
  public var shareInsideOne: Double { fractionInsideOne }

  /// The old name of `fractionInsideTwo`.
  @available(*, deprecated, renamed: "fractionInsideTwo")
  public var shareInsideTwo: Double { fractionInsideTwo }
}

extension ParameterSearch.Progress {
  /// The old name of `fraction`.
  @available(*, deprecated, renamed: "fraction")
  public var share: Double { fraction }
}
