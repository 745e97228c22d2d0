# expect: success
# needs: dask toolz
# final: 30
# stderr-has: []
import dask


@dask.delayed
def square(x):
    return x * x


@dask.delayed
def total(values):
    return sum(values)


total([square(i) for i in range(5)]).compute(scheduler="processes",
                                             num_workers=2)
