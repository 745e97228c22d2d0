// The conformance suite knows neither TLS nor tokens: this adds both.
// Usage: relay.mjs PORT URL TOKEN
import http from "node:http";
import https from "node:https";

const [port, url, token] = process.argv.slice(2);
http.createServer((asked, answer) => {
  const request = https.request(url, {
    method: asked.method,
    servername: "",  // else that of the Host header, which may be false
    headers: { ...asked.headers, authorization: `Bearer ${token}` },
  }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  request.on("error", () => answer.destroy());
  asked.pipe(request);
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));
