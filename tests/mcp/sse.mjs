// The official client over the old transport: connect, list, call, fail, close.
// With "?fall-back" behind the address it tries the present transport first, as
// the specification tells clients of both. Prints one line of JSON.
// Usage: sse.mjs URL TOKEN
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport }
  from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [given, token] = process.argv.slice(2);
const url = new URL(given.replace("?fall-back", ""));
const headers = { Authorization: `Bearer ${token}` };
const options = { requestInit: { headers },
  eventSourceInit: { fetch: (address, init) => fetch(address, {
    ...init, headers: { ...headers, Accept: "text/event-stream" } }) } };

async function connected() {
  if (given !== url.href) {
    const first = new Client({ name: "test", version: "1" });
    const refused = await first.connect(new StreamableHTTPClientTransport(url,
      { requestInit: { headers } })).then(() => null, (error) => error);
    if (!/405/.test(`${refused?.code} ${refused}`))
      throw new Error(`not refused as it should be: ${refused}`);
  }
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new SSEClientTransport(url, options));
  return client;
}

const client = await connected();
const call = (code) => client.callTool({ name: "python",
  arguments: { code } });
const { tools } = await client.listTools();
const { content, isError } = await call("print('said')\n6 * 7");
const failed = await call("1 / 0");
const unknown = await client.callTool({ name: "other", arguments: {} })
  .catch((error) => error.message.split(":")[0]);
console.log(JSON.stringify({ server: client.getServerVersion()?.name,
  tools: tools.map((tool) => tool.name), text: content[0].text,
  failed: [isError, failed.content[0].text.includes("ZeroDivisionError")],
  unknown }));
await client.close();
