@_exported public import InertialNumerics
@_exported public import InertialSimulation

// The libraries in addition to Inertial, for all files of these tests.
