// The libraries beside Inertial, for all files of these tests.
@_exported public import LinearAlgebra
@_exported public import Signals
@_exported public import Simulation
