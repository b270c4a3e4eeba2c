print("inertial")
