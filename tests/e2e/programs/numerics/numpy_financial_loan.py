# A loan's plan, and the value of an investment.
# expect: success
# needs: numpy
# stdout: "Monthly payment: 217.75\n 1  -200.58   -17.17  2299.42\n 2  -201.96   -15.79  2097.46\n12  -216.26    -1.49     0.00\n-112.98 True\n3065.22267 0.105823\n15692.928894335748 -100.00067131625819\n64.07335 0.110691 0.066597\n[15692.93 16569.87] -1158.9297 0.0 nan -100.0\n"
# cut
import numpy as np
import numpy_financial as npf

rate, years, loan = 0.0824, 1, 2500.0
payment = npf.pmt(rate / 12, 12 * years, loan)
print(f"Monthly payment: {-payment:,.2f}")
periods = np.arange(12) + 1
interest = npf.ipmt(rate / 12, periods, 12, loan)
principal = npf.ppmt(rate / 12, periods, 12, loan)
balance = loan
for month in (1, 2, 12):
    balance = loan + principal[:month].sum()
    print(f"{month:2d} {principal[month - 1]:8.2f} {interest[month - 1]:8.2f} "
          f"{balance:8.2f}".replace("-0.00", " 0.00"))
print(round(interest.sum(), 2), np.allclose(interest + principal, payment))
flows = [-40_000, 5_000, 8_000, 12_000, 30_000]
print(npf.npv(0.08, flows).round(5), round(npf.irr(flows), 6))
print(npf.fv(0.05 / 12, 120, -100, -100), npf.pv(0.05 / 12, 120, -100, 15692.93))
print(np.round(npf.nper(0.07 / 12, -150, 8000), 5),
      round(npf.rate(10, 0, -3500, 10000), 6),
      round(npf.mirr([-4500, -800, 800, 800, 600, 600, 800, 800, 700, 3000],
                     0.08, 0.055), 6))
print(npf.fv(np.array([0.05, 0.06]) / 12, 120, -100, -100).round(2),
      round(npf.ppmt(0.1 / 12, 1, 60, 55000, when="begin"), 4),
      npf.ipmt(0.1 / 12, 1, 24, 2000, when="begin"),
      npf.irr([-100, -50]), npf.pmt(0, 10, 1000))
