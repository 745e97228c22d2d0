# A job shop and a roster.
# expect: success
# needs: pycryptosat scipy
# stdout: "OPTIMAL 11.0 11.0 True\n11 makespan(0..21) start_0_1\nOPTIMAL
#     7.0\nTrue INFEASIBLE\n"
# cut
import collections

from ortools.sat.python import cp_model

jobs = [[(0, 3), (1, 2), (2, 2)], [(0, 2), (2, 1), (1, 4)], [(1, 4), (2, 3)]]
horizon = sum(task[1] for job in jobs for task in job)
model = cp_model.CpModel()
Task = collections.namedtuple("Task", "start end interval")
tasks, machines = {}, collections.defaultdict(list)
for j, job in enumerate(jobs):
    for t, (machine, duration) in enumerate(job):
        suffix = f"_{j}_{t}"
        start = model.NewIntVar(0, horizon, "start" + suffix)
        end = model.NewIntVar(0, horizon, "end" + suffix)
        interval = model.NewIntervalVar(start, duration, end, "i" + suffix)
        tasks[j, t] = Task(start, end, interval)
        machines[machine].append(interval)
for intervals in machines.values():
    model.AddNoOverlap(intervals)
for j, job in enumerate(jobs):
    for t in range(len(job) - 1):
        model.Add(tasks[j, t + 1].start >= tasks[j, t].end)
makespan = model.NewIntVar(0, horizon, "makespan")
model.AddMaxEquality(makespan, [tasks[j, len(job) - 1].end
                                for j, job in enumerate(jobs)])
model.Minimize(makespan)
solver = cp_model.CpSolver()
status = solver.Solve(model)
print(solver.StatusName(status), solver.ObjectiveValue(),
      solver.BestObjectiveBound(), status == cp_model.OPTIMAL)
last = max(solver.Value(task.end) for task in tasks.values())
print(last, repr(makespan), tasks[0, 1].start)

# Two nurses of three on each of four days; wishes count.
model = cp_model.CpModel()
wish = [[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]]
works = {(n, d): model.new_bool_var(f"n{n}_d{d}")
         for n in range(3) for d in range(4)}
for d in range(4):
    model.add(sum(works[n, d] for n in range(3)) == 2)
for n in range(3):
    model.add_linear_constraint(sum(works[n, d] for d in range(4)), 2, 3)
    model.add(works[n, 3] == 1).only_enforce_if(works[n, 0], ~works[n, 1])
model.maximize(sum(wish[n][d] * works[n, d] for n, d in works))
solver.parameters.max_time_in_seconds = 10.0
print(solver.status_name(solver.solve(model)), solver.objective_value)
model.add(works[0, 0] + works[1, 0] + works[2, 0] >= 3)
status = solver.solve(model)
print(status == cp_model.INFEASIBLE, solver.status_name(status))
