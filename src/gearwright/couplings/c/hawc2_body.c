/* A free rigid body as an external system, the second example of S1 appendix A.

   Degrees of freedom: position (3), pseudo-rotation (3, its rate is the angular velocity in the body's axes), Euler
   parameters (4), whose rates are p' = 1/2 H(w) p. The last four rows are of first order and have no mass. */

#include "hawc2_external.h"

#include <string.h>

extern const double body_mass, body_inertia[3], body_gravity[3], body_start[10], body_speed[6];

void esys_init(int *moving, int *constant, int *outputs) {
  *moving = 10;
  *constant = 0;
  *outputs = 5;
}

static void rates(const double *p, const double *w, double *out) {
  out[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
  out[1] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
  out[2] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
  out[3] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
}

void esys_initial(double *q, double *v) {
  memcpy(q, body_start, 10 * sizeof(double));
  memcpy(v, body_speed, 6 * sizeof(double));
  rates(q + 6, v + 3, v + 6);
}

void esys_residual(const double *time, const double *q, const double *v, const double *a, double *b) {
  (void)time;
  const double *j = body_inertia, *w = v + 3;
  double p[4];
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    b[i] = body_mass * (a[i] - body_gravity[i]);
    b[3 + i] = j[i] * a[3 + i] - (j[k] - j[l]) * w[k] * w[l];
  }
  rates(q + 6, w, p);
  for (int i = 0; i < 4; i++) b[6 + i] = v[6 + i] - p[i];
}

void esys_update(const double *time, const double *q, const double *v, double *mass, double *damping, double *stiffness) {
  const double *j = body_inertia, *w = v + 3;
  (void)time;
  memset(mass, 0, 100 * sizeof(double));
  memset(damping, 0, 100 * sizeof(double));
  memset(stiffness, 0, 100 * sizeof(double));
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    mass[i * 10 + i] = body_mass;
    mass[(3 + i) * 10 + 3 + i] = j[i];
    damping[(3 + i) * 10 + 3 + k] = -(j[k] - j[l]) * w[l];
    damping[(3 + i) * 10 + 3 + l] = -(j[k] - j[l]) * w[k];
  }
  for (int c = 0; c < 4; c++) {
    double unit[4] = {0, 0, 0, 0}, by[4];
    unit[c] = 1.0;
    damping[(6 + c) * 10 + 6 + c] = 1.0;
    rates(unit, w, by);
    for (int i = 0; i < 4; i++) stiffness[(6 + i) * 10 + 6 + c] = -by[i];
  }
  for (int c = 0; c < 3; c++) {
    double unit[3] = {0, 0, 0}, by[4];
    unit[c] = 1.0;
    rates(q + 6, unit, by);
    for (int i = 0; i < 4; i++) damping[(6 + i) * 10 + 3 + c] = -by[i];
  }
}

/* kinetic energy of turning, angular momentum along the body's axes, and the length of the Euler parameters */
void esys_output(const double *time, const double *q, const double *v, const double *a, double *out) {
  (void)time, (void)a;
  out[0] = 0.0;
  out[4] = 0.0;
  for (int i = 0; i < 3; i++) {
    out[0] += 0.5 * body_inertia[i] * v[3 + i] * v[3 + i];
    out[1 + i] = body_inertia[i] * v[3 + i];
  }
  for (int i = 0; i < 4; i++) out[4] += q[6 + i] * q[6 + i];
}

void cons_init(const int *task, int *number, const double *host, const double *q) {
  (void)host, (void)q;
  if (*task < 3) *number = 0; /* it is free */
}

void cons_update(const double *time, const double *host, const double *q, double *g, double *by_host, double *by_ours) {
  (void)time, (void)host, (void)q, (void)g, (void)by_host, (void)by_ours;
}
