/* Exact steps of a linear system; see linear.c. */
#ifndef GEARWRIGHT_LINEAR_H
#define GEARWRIGHT_LINEAR_H

typedef struct gw_linear_step gw_linear_step;

gw_linear_step *gw_linear_create(int n, int ports);
void gw_linear_destroy(gw_linear_step *);
void gw_linear_forget(gw_linear_step *); /* the system has changed */
/* dv/dt = stiffness q + damping v + sum of gain (value + slope t) + constant, over h; 0: fine, 1: no memory */
int gw_linear_advance(gw_linear_step *, double h, const double *stiffness, const double *damping, const double *gain,
                      const double *constant, const double *value, const double *slope, double *q, double *v);

#endif
