# expect: success
# needs: yaml
# stdout: "{\"debug\": true, \"features\": [\"a\", \"b\"], \"server\": {\"host\": \"localhost\", \"port\": 8080}}\n[1, 2]\n"
# files-kinds: {"config.yaml": "text"}
# cut
import json
import tomllib
import yaml

config = {'server': {'host': 'localhost', 'port': 8080},
          'features': ['a', 'b'], 'debug': True}
with open('/mnt/data/config.yaml', 'w') as f:
    yaml.dump(config, f, default_flow_style=False, sort_keys=False)
with open('/mnt/data/config.yaml') as f:
    again = yaml.safe_load(f)
print(json.dumps(again, indent=None, sort_keys=True))
toml = tomllib.loads('[tool]\nname = "x"\nversions = [1, 2]\n')
print(toml['tool']['versions'])
