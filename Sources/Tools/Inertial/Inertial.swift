// The modules that a script imports: rotations, sensors, logs, filters, the estimator, evaluation, recognition and the jobs over
// logs. The other modules are products of their own. `.ci/gate/count-public` limits the number of declarations.

@_exported public import InertialEvaluation
@_exported public import InertialFilters
@_exported public import InertialFusion
@_exported public import InertialJobs
@_exported public import InertialLogs
@_exported public import InertialNavigation
@_exported public import InertialRecognition
@_exported public import InertialRotations
@_exported public import InertialSensors
