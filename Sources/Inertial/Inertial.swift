// What a script imports: every library of the toolkit under one name.
@_exported public import AttitudeFilters
@_exported public import Calibration
@_exported public import DeviceMotionEstimation
@_exported public import Evaluation
@_exported public import FusionPipeline
@_exported public import Geomagnetism
@_exported public import LinearAlgebra
@_exported public import LiveSensors
@_exported public import MotionLogs
@_exported public import Recognition
@_exported public import Rotations
@_exported public import Sensors
@_exported public import Signals
@_exported public import Simulation
@_exported public import Tuning
