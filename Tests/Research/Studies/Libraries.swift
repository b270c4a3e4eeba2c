// The libraries beside Inertial, for all files of these tests.
@_exported public import InertialNumerics
@_exported public import InertialSimulation
