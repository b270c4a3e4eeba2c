// The command uses every library: here for all of its files.
@_exported public import InertialCalibration
@_exported public import InertialLive
@_exported public import InertialNumerics
@_exported public import InertialResearch
@_exported public import InertialSimulation
