"""Everything of the rolling bearing: types, loads and stiffness, ratings, life (ISO 281, ISO/TS 16281), passing orders."""
