# expect: success
# stdout-has: ["communities 3", "0.1"]
# files-kinds: {"g.graphml": "text"}
# results: ["image/png"]
# stderr-like: .*
# needs: networkx matplotlib
# cut
import networkx as nx, matplotlib.pyplot as plt
from networkx.algorithms.community import greedy_modularity_communities
G = nx.karate_club_graph()
c = greedy_modularity_communities(G); print("communities", len(c)); print(round(nx.density(G), 2), max(nx.pagerank(G).items(), key=lambda kv: kv[1]))
nx.write_graphml(G, "/mnt/data/g.graphml")
nx.draw_networkx(G, nx.spring_layout(G, seed=1), node_color=[next(i for i, s in enumerate(c) if n in s) for n in G]); plt.show()
