// Loads Pyodide anew for each line it reads, a program as JSON text, and
// answers with the value as text. Started by peers.Pyodide.
import { createInterface } from "node:readline";

const { loadPyodide } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const pyodide = await loadPyodide();
  const value = pyodide.runPython(JSON.parse(line));
  console.log(JSON.stringify(String(value)));
}
