# expect: failure
# error: ModuleNotFoundError
# told: ["openai"]
# without: openai
# cut
from openai import OpenAI
client = OpenAI(api_key="sk-...")
print(client.models.list())
