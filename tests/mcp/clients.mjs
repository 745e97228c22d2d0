// The official clients: connect, list, call, read an image, follow the progress,
// read a file of a session, cancel. Prints one line of JSON.
// Usage: clients.mjs URL TOKEN
const [url, token] = process.argv.slice(2);
const PICTURE = `class A:
    def _repr_png_(self): return b'\\x89PNG' + bytes(8)
display(A())
6 * 7`;

async function use(name, version) {
  const legacy = name === "sdk";
  const { Client } = await import(legacy
    ? "@modelcontextprotocol/sdk/client/index.js"
    : "@modelcontextprotocol/client");
  const { StreamableHTTPClientTransport } = await import(legacy
    ? "@modelcontextprotocol/sdk/client/streamableHttp.js"
    : "@modelcontextprotocol/client");
  const client = new Client({ name: "test", version: "1" },
    version ? { versionNegotiation: { mode: { pin: version } } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
  const call = (code, options, session) => {
    const params = { name: "run_python", arguments: { code, session } };
    return legacy ? client.callTool(params, undefined, options)
      : client.callTool(params, options);
  };
  const { tools } = await client.listTools();
  const result = await call(PICTURE);
  const image = result.content.find((part) => part.type === "image");
  let said = "";
  const kept = await call("print('a'); open('f.txt', 'w').write('x')",
    { onprogress: (progress) => { said += progress.message; } },
    `clients-${name}`);
  const link = kept.content.find((part) => part.type === "resource_link");
  const read = await client.readResource({ uri: link.uri });
  const stop = new AbortController();
  const late = call("while True: pass", { signal: stop.signal })
    .then(() => "answered", () => "cancelled");
  stop.abort();
  const out = { server: client.getServerVersion()?.name,
    tools: tools.map((tool) => tool.name),
    value: result.structuredContent.final_expression,
    image: image && image.mimeType, said, read: read.contents[0].text,
    cancel: await late,
    failed: (await call("1 / 0")).isError };
  await client.close();
  return out;
}

console.log(JSON.stringify({ sdk: await use("sdk"),
  client: await use("client"), modern: await use("client", "2026-07-28") }));
