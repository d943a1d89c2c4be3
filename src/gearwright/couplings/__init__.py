"""A drivetrain inside other programs, and other programs' parts inside a run.

FMI (:mod:`fmu`, :mod:`fmu_import`), OpenFAST (:mod:`openfast`, :mod:`bridge`), HAWC2 (:mod:`hawc2`), Bladed-style
controllers (:mod:`bladed`). Libraries of others are loaded only when the user names them. C sources lie in ``c``; they
are built with the user's compiler.
"""
