This is not C.
