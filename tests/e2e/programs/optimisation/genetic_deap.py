# expect: success
# needs: deap
# stdout: "True\n"
# cut
import random
from deap import algorithms, base, creator, tools

random.seed(64)
creator.create("FitnessMax", base.Fitness, weights=(1.0,))
creator.create("Individual", list, fitness=creator.FitnessMax)
tb = base.Toolbox()
tb.register("bit", random.randint, 0, 1)
tb.register("individual", tools.initRepeat, creator.Individual, tb.bit, 30)
tb.register("population", tools.initRepeat, list, tb.individual)
tb.register("evaluate", lambda ind: (sum(ind),))
tb.register("mate", tools.cxTwoPoint)
tb.register("mutate", tools.mutFlipBit, indpb=0.05)
tb.register("select", tools.selTournament, tournsize=3)
pop, _ = algorithms.eaSimple(tb.population(n=80), tb, 0.5, 0.2, 25,
                             verbose=False)
print(tools.selBest(pop, 1)[0].fitness.values[0] >= 28)
