# expect: success
# needs: networkx
# final: ["a", "c", "d"]
import networkx as nx
graph = nx.Graph()
graph.add_weighted_edges_from([("a", "b", 5), ("b", "d", 5),
                               ("a", "c", 1), ("c", "d", 2)])
nx.shortest_path(graph, "a", "d", weight="weight")
