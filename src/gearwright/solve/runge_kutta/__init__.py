"""The explicit engine: Runge-Kutta and Nystrom steps with error control, hard rows and friction."""
