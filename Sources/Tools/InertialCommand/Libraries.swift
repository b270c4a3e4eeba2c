@_exported public import InertialCalibration
@_exported public import InertialLive
@_exported public import InertialNumerics
@_exported public import InertialResearch
@_exported public import InertialSimulation

// The libraries of the command, imported once for all of its files.
