# expect: success
# needs: networkx matplotlib
# results: ["image/png"]
# stdout-like: Tour length: \d+
# cut
import itertools
import math
import networkx as nx
import matplotlib.pyplot as plt

cities = {'A': (0, 0), 'B': (3, 0), 'C': (3, 4), 'D': (0, 4)}
G = nx.Graph()
for u, v in itertools.combinations(cities, 2):
    G.add_edge(u, v, weight=math.dist(cities[u], cities[v]))
tour = nx.approximation.traveling_salesman_problem(G, cycle=True)
print("Tour length:", sum(int(G[a][b]['weight'])
                          for a, b in zip(tour, tour[1:])))
nx.draw(G, pos=cities, with_labels=True, node_color='skyblue')
plt.show()
