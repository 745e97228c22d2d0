# expect: success
# needs: requests
# stdout-has: ["Failed", "network"]
# cut
import requests

try:
    r = requests.get("https://example.com/data.csv", timeout=5)
    print(r.text)
except requests.exceptions.RequestException as e:
    print("Failed to fetch:", e)
