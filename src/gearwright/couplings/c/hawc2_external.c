/* A drivetrain as an external system: residual from the right-hand side of the engine, matrices by its differences. */

#include "hawc2_external.h"

#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const int gw_joined; /* coordinate that the host's shaft holds */

static gw_engine *engine = NULL;
static double offset = 0.0;

static gw_engine *own(void) {
  if (!engine) engine = gw_create();
  return engine;
}

void esys_init(int *moving, int *constant, int *outputs) {
  gw_destroy(engine);
  engine = gw_create();
  *moving = engine ? gw_coordinates(engine) : 0;
  *constant = 0;
  *outputs = gw_output_count;
}

void esys_initial(double *q, double *v) {
  if (own()) gw_position(engine, q, v);
}

static void forces(double t, const double *q, const double *v, int n, double *a, double *f) {
  gw_accelerations(engine, t, q, v, a);
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += gw_mass[(size_t)i * n + j] * a[j];
    f[i] = sum;
  }
}

void esys_update(const double *time, const double *q, const double *v, double *mass, double *damping, double *stiffness) {
  if (!own()) return;
  int n = gw_coordinates(engine);
  size_t bytes = (size_t)n * sizeof(double);
  double *work = (double *)malloc(5 * bytes);
  if (!work) return;
  double *x = work, *w = work + n, *a = work + 2 * n, *up = work + 3 * n, *down = work + 4 * n;
  memcpy(mass, gw_mass, bytes * (size_t)n);
  memcpy(x, q, bytes);
  memcpy(w, v, bytes);
  for (int j = 0; j < n; j++) {
    /* central differences about where it is: exact for springs, whatever the step */
    const double d = 1e-6, dv = 1e-3;
    x[j] = q[j] + d, forces(*time, x, w, n, a, up);
    x[j] = q[j] - d, forces(*time, x, w, n, a, down);
    x[j] = q[j];
    for (int i = 0; i < n; i++) stiffness[(size_t)i * n + j] = (down[i] - up[i]) / (2.0 * d);
    w[j] = v[j] + dv, forces(*time, x, w, n, a, up);
    w[j] = v[j] - dv, forces(*time, x, w, n, a, down);
    w[j] = v[j];
    for (int i = 0; i < n; i++) damping[(size_t)i * n + j] = (down[i] - up[i]) / (2.0 * dv);
  }
  free(work);
}

void esys_residual(const double *time, const double *q, const double *v, const double *a, double *residual) {
  if (!own()) return;
  int n = gw_coordinates(engine);
  double *free_ = (double *)malloc((size_t)n * sizeof(double));
  if (!free_) return;
  gw_accelerations(engine, *time, q, v, free_);
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += gw_mass[(size_t)i * n + j] * (a[j] - free_[j]);
    residual[i] = sum;
  }
  free(free_);
}

void esys_output(const double *time, const double *q, const double *v, const double *a, double *out) {
  (void)a;
  if (own()) gw_outputs_at(engine, *time, q, v, out);
}

/* inputs from outside the mechanics: 1 is the generator's torque */
void esys_input(const int *number, const double *value) {
  if (own() && *number >= 1 && *number <= gw_port_count) gw_set_input(engine, *number - 1, *value);
}

void cons_init(const int *task, int *number, const double *host, const double *q) {
  if (*task == 1) *number = 1;
  if (*task == 2) *number = gw_joined + 1;
  if (*task == 3) offset = q[gw_joined] - *host;
}

void cons_update(const double *time, const double *host, const double *q, double *g, double *by_host, double *by_ours) {
  (void)time;
  int n = own() ? gw_coordinates(engine) : 0;
  *g = q[gw_joined] - *host - offset;
  *by_host = -1.0;
  memset(by_ours, 0, (size_t)n * sizeof(double));
  by_ours[gw_joined] = 1.0;
}
