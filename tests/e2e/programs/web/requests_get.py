# expect: failure
# needs: requests
# error: ConnectionError
# told: "network"
# cut
import requests

response = requests.get('https://api.github.com/repos/pandas-dev/pandas')
response.raise_for_status()
print(response.json()['stargazers_count'])
