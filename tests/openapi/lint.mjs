// Lint an API description: node lint.mjs FILE. Prints each problem; the exit
// status is 1 if there is one.
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    // It is served by the server that it describes.
    "no-empty-servers": "error",
    // Each door has its own errors, and "default" covers the others.
    "operation-4xx-response": "off",
    "operation-operationId": "error",
    "operation-operationId-url-safe": "error",
    "operation-description": "error",
    "operation-summary": "error",
    "no-invalid-schema-examples": "error",
  },
});
const problems = await lint({ ref: process.argv[2], config });
for (const { ruleId, message, location } of problems) {
  console.log(`${ruleId}: ${message} (${location[0]?.pointer ?? ""})`);
}
process.exit(problems.length > 0 ? 1 : 0);
