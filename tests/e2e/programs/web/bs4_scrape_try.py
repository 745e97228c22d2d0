# expect: success
# stdout-has: ["Error"]
# needs: requests bs4
# cut
import requests
from bs4 import BeautifulSoup
def scrape(url):
    try:
        r = requests.get(url, headers={"User-Agent": "Mozilla/5.0"}, timeout=10); r.raise_for_status()
        return BeautifulSoup(r.text, "html.parser").title.string
    except requests.exceptions.ConnectionError as e:
        return f"Error: {e}"
print(scrape("https://www.python.org"))
