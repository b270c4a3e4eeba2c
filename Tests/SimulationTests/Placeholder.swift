// Replaced by the owner of this target.
