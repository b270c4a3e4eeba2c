// What a script imports: rotations, sensors, logs, filters, the estimator, evaluation, recognition and the jobs over logs.
// The other libraries are products of their own. `.ci/count-public` holds how many declarations this brings.
@_exported public import AttitudeFilters
@_exported public import AttitudeSolvers
@_exported public import DeviceMotionEstimation
@_exported public import Evaluation
@_exported public import FusionPipeline
@_exported public import MotionLogs
@_exported public import Navigation
@_exported public import Recognition
@_exported public import Rotations
@_exported public import Sensors
@_exported public import Vectors
