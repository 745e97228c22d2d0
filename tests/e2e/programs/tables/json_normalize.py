# expect: success
# needs: pandas
# files-in: {"api.json": "{\"results\": [{\"id\": 1, \"user\": {\"name\": \"Ada\", \"tags\": [\"x\", \"y\"]}}, {\"id\": 2, \"user\": {\"name\": \"Bo\", \"tags\": []}}]}"}
# stdout: "[{'id': 1, 'user_name': 'Ada', 'n_tags': 2}, {'id': 2, 'user_name': 'Bo', 'n_tags': 0}]\n['x', 'y', nan]\n"
# cut
import json
import pandas as pd

with open('/mnt/data/api.json') as f:
    payload = json.load(f)
df = pd.json_normalize(payload['results'], sep='_')
df['n_tags'] = df['user_tags'].apply(len)
print(df[['id', 'user_name', 'n_tags']].to_dict(orient='records'))
print(df.explode('user_tags')['user_tags'].tolist())
