// What a program that links this does before its libraries begin; there is nothing to call.
