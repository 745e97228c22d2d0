# Layouts of networkx 3 and of Graphviz, which cannot be started here.
# expect: success
# needs: networkx
# final: [true, true, 16.0, ["a", "b", "c", "d"], true, true, 0,
#    [[2, 2], 3]]
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt
import networkx as nx
from networkx.drawing.nx_agraph import graphviz_layout

graph = nx.DiGraph([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
pos = graphviz_layout(graph, prog="dot")
level = [pos[name][1] for name in "abcd"]
nx.draw(graph, pos, with_labels=True)
nx.draw_networkx_edge_labels(graph, pos, edge_labels={("a", "b"): 3},
                             connectionstyle="arc3,rad=0.1")
plt.show()
ring = nx.cycle_graph(5)
layouts = [nx.spring_layout(ring, seed=1, method="auto"),
           nx.forceatlas2_layout(ring, seed=1), nx.bfs_layout(ring, 0),
           graphviz_layout(ring, prog="neato"),
           nx.nx_pydot.graphviz_layout(ring, prog="circo")]
[level[0] > level[1] == level[2] > level[3], pos["b"][0] != pos["c"][0],
 round(nx.number_of_spanning_trees(nx.complete_graph(4)), 6), sorted(pos),
 all(len(one) == 5 for one in layouts),
 all(len(set(map(tuple, one.values()))) == 5 for one in layouts),
 len(graphviz_layout(nx.Graph(), prog="dot")),
 [[len(nx.node_link_data(nx.path_graph(3), edges=name)[name])
   for name in ("edges", "links")],
  len(nx.node_link_graph(nx.node_link_data(nx.path_graph(3), edges="edges"),
                         edges="edges"))]]
