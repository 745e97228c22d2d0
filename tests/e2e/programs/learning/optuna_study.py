# Parameters of a model are searched by optuna, in memory.
# expect: success
# needs: optuna sklearn
# stdout: "12 ['criterion', 'max_depth', 'n_estimators'] True\n12 True\n"
# cut
import optuna
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

optuna.logging.set_verbosity(optuna.logging.WARNING)
X, y = load_iris(return_X_y=True)


def objective(trial):
    model = RandomForestClassifier(
        n_estimators=trial.suggest_int("n_estimators", 5, 20),
        max_depth=trial.suggest_int("max_depth", 1, 5),
        criterion=trial.suggest_categorical("criterion",
                                            ["gini", "entropy"]),
        random_state=0)
    return cross_val_score(model, X, y, cv=3).mean()


study = optuna.create_study(direction="maximize",
                            sampler=optuna.samplers.TPESampler(seed=1))
study.optimize(objective, n_trials=12)
print(len(study.trials), sorted(study.best_params), study.best_value > 0.9)
print(study.trials_dataframe().shape[0],
      study.best_trial.state == optuna.trial.TrialState.COMPLETE)
