/* The external-system interface of HAWC2 (S1 appendix A). All matrices row by row; angles rad, SI.

   The host solves  B_i + G_i' lam = 0,  B_e + G_e' lam = 0,  g = 0  for its own and these degrees of freedom. */
#ifndef GEARWRIGHT_EXTERNAL_H
#define GEARWRIGHT_EXTERNAL_H

void esys_init(int *moving, int *constant, int *outputs);       /* degrees of freedom and outputs */
void esys_initial(double *q, double *v);                        /* initial conditions */
void esys_update(const double *time, const double *q, const double *v, double *mass, double *damping, double *stiffness);
void esys_residual(const double *time, const double *q, const double *v, const double *a, double *residual);
void esys_output(const double *time, const double *q, const double *v, const double *a, double *out);
/* called three times: task 1 asks for the number of conditions, 2 for the bodies' degrees of freedom that take part
   (ours, counted from 1), 3 begins with the positions of both sides */
void cons_init(const int *task, int *number, const double *host, const double *q);
/* conditions g and their derivatives by the host's angle and ours (conditions x degrees of freedom) */
void cons_update(const double *time, const double *host, const double *q, double *g, double *by_host, double *by_ours);

#endif
