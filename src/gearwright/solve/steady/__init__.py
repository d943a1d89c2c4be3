"""Without stepping: modes, loaded equilibrium, periodic steady state, response, power flow."""
