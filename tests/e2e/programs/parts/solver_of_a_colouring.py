import itertools, json, os, time
problem = json.load(open("input.json"))
domains = {name: set(range(problem["colours"])) for name in problem["nodes"]}
near = {name: set() for name in problem["nodes"]}
for a, b in problem["edges"]:
    near[a].add(b)
    near[b].add(a)

def propagate(domains):
    queue = [n for n, d in domains.items() if len(d) == 1]
    while queue:
        name = queue.pop()
        (colour,) = domains[name]
        for other in near[name]:
            if colour in domains[other]:
                domains[other] = domains[other] - {colour}
                if not domains[other]:
                    return None
                if len(domains[other]) == 1:
                    queue.append(other)
    return domains

def search(domains):
    domains = propagate(dict(domains))
    if domains is None:
        return None
    open_ones = [n for n, d in domains.items() if len(d) > 1]
    if not open_ones:
        return domains
    name = min(open_ones, key=lambda n: len(domains[n]))
    for colour in sorted(domains[name]):
        found = search({**domains, name: {colour}})
        if found:
            return found
    return None

found = search(domains)
if found:
    print("SOLUTION_FOUND")
schedule = [{"node": n, "colour": min(d)} for n, d in (found or {}).items()]
json.dump({"status": "optimal" if found else "infeasible",
           "schedule": schedule,
           "workers": os.environ["SOLVER_WORKERS"]},
          open("result.json", "w"))
