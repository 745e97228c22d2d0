# needs: igraph cvxopt
# expect: success
# final: [[0, 1, 2], 10, [1.0, 1.0], 0.0]
import cvxopt
import cvxopt.modeling
import igraph

cvxopt.solvers.options["show_progress"] = False
graph = igraph.Graph.Ring(10)
even = graph.count_isomorphisms_vf2(
    graph, node_compat_fn=lambda one, two, a, b: (a - b) % 2 == 0)
c = cvxopt.matrix([-4.0, -5.0])
G = cvxopt.matrix([[2.0, 1.0, -1.0, 0.0], [1.0, 2.0, 0.0, -1.0]])
h = cvxopt.matrix([3.0, 3.0, 0.0, 0.0])
found = cvxopt.solvers.lp(c, G, h)["x"]


def F(x=None, z=None):
    if x is None:
        return 0, cvxopt.matrix(1.0, (1, 1))
    value, slope = (x - 2) ** 2, 2 * (x - 2).T
    if z is None:
        return value, slope
    return value, slope, cvxopt.matrix(2.0 * z[0], (1, 1))


least = cvxopt.solvers.cp(F)["x"][0]
[graph.get_shortest_paths(0, 2)[0], even,
 [round(one, 3) for one in found], round(abs(least - 2), 3)]
