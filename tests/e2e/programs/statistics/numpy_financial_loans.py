# Loans, annuities and rates of return by numpy_financial.
# expect: success
# needs: numpy
# without: numpy_financial
# stdout:
#     "-531.8473 <class 'numpy.float64'> -25.0 -529.2013\n[-60.    -57.641]
#     -529.201 -12000.0 0.0 nan\n15692.9289 -100.0 64.0733 50.0 0.110691
#     [12.578, 13.181]\n-0.0085 0.28095 nan 0.0666\nnpv() of several rates or
#     rows is not in this numpy_financial: call it for each\n"
# cut
import numpy as np
import numpy_financial as npf

rate, months, loan = 0.06 / 12, 24, 12_000
print(round(npf.pmt(rate, months, loan), 4), type(npf.pmt(rate, 3, 1)),
      npf.pmt(0, 4, 100), round(npf.pmt(rate, 24, loan, when="begin"), 4))
numbers = np.arange(1, months + 1)
interest = npf.ipmt(rate, numbers, months, loan)
principal = npf.ppmt(rate, numbers, months, loan)
print(interest[:2].round(3), principal[-1].round(3),
      principal.sum().round(6), npf.ipmt(rate, 1, 24, loan, when=1),
      npf.ipmt(rate, 0, 24, loan))
print(round(npf.fv(0.05 / 12, 120, -100, -100), 4),
      round(npf.pv(0.05 / 12, 120, -100, 15692.93), 2),
      round(npf.nper(0.07 / 12, -150, 8000), 4), npf.nper(0, -2, 100),
      round(npf.rate(10, 0, -3500, 10000), 6),
      npf.fv([0.05, 0.06], 10, -1, 0).round(3).tolist())
print(round(npf.npv(0.281, [-100, 39, 59, 55, 20]), 4),
      round(npf.irr([-100, 39, 59, 55, 20]), 5), npf.irr([1, 2]),
      round(npf.mirr([-4500, -800, 800, 800, 600, 600, 800, 800, 700, 3000],
                     0.08, 0.055), 4))
try:
    npf.npv([0.1, 0.2], [1, 2])
except NotImplementedError as error:
    print(error)
