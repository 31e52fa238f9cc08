//! Empty: the bench is all that there is.
