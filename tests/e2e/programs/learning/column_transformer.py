# expect: success
# needs: sklearn pandas
# stdout: "1.0\n['num__age', 'cat__sex_f', 'cat__sex_m']\n"
# cut
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

df = pd.DataFrame({'age': [22, 38, None, 35, 28, 60, 44, 19],
                   'sex': list('mffmmfmf'),
                   'survived': [0, 1, 1, 0, 0, 1, 0, 1]})
pre = ColumnTransformer([
    ('num', Pipeline([('i', SimpleImputer()), ('s', StandardScaler())]),
     ['age']),
    ('cat', OneHotEncoder(handle_unknown='ignore', sparse_output=False),
     ['sex'])]).set_output(transform='pandas')
model = Pipeline([('pre', pre), ('lr', LogisticRegression())])
model.fit(df[['age', 'sex']], df['survived'])
print(model.score(df[['age', 'sex']], df['survived']))
print(list(model[:-1].get_feature_names_out()))
