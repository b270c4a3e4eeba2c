@_exported public import InertialCalibration
@_exported public import InertialLive
@_exported public import InertialNumerics
@_exported public import InertialResearch
@_exported public import InertialSimulation

// The libraries other than Inertial, for all files of these tests.
