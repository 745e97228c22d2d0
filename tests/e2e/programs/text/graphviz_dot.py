# expect: failure
# error: PermissionError
# told: ["networkx"]
# files-kinds: {"flow": "text"}
# needs: graphviz
# cut
import graphviz
dot = graphviz.Digraph(comment="Flow")
dot.node("A", "Start"); dot.node("B", "End"); dot.edge("A", "B")
dot.render("/mnt/data/flow", format="png", view=False)
