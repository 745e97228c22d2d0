// Check requests and answers against an API description:
//
//     node check.mjs DOCUMENT RECORDS
//
// RECORDS has a line of JSON for each: {method, path, status, type, request,
// answer}, where the bodies are texts, or null if they were not kept. Prints a
// line of JSON with what was checked and what is wrong. Answers may have no
// member that the description does not have.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const [, , documentFile, recordsFile] = process.argv;
const text = readFileSync(documentFile, "utf8")
  .replaceAll("#/components/schemas/", "#/$defs/");
const api = JSON.parse(text);
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const shown = 300;

// A copy of SCHEMA whose objects have no other members than those it names.
function closed(schema) {
  if (Array.isArray(schema)) {
    return schema.map(closed);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const out = Object.fromEntries(
    Object.entries(schema).map(([name, value]) =>
      [name, name === "properties"
        ? Object.fromEntries(Object.entries(value).map(
          ([key, inner]) => [key, closed(inner)]))
        : closed(value)]));
  if (out.properties && out.additionalProperties === undefined) {
    out.additionalProperties = false;
  }
  return out;
}

const definitions = Object.fromEntries(
  Object.entries(api.components.schemas).map(
    ([name, schema]) => [name, closed(schema)]));
const compiled = new Map();

function validator(key, schema, close) {
  if (!compiled.has(key)) {
    const whole = { ...(close ? closed(schema) : schema), $defs: definitions };
    compiled.set(key, ajv.compile(whole));
  }
  return compiled.get(key);
}

// The description of a path, in which a component may stand for any.
const templates = Object.keys(api.paths).filter((path) => path.includes("{"))
  .map((path) => [path, new RegExp(
    `^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`)]);

function described(path) {
  return api.paths[path] ? path
    : templates.find(([, form]) => form.test(path))?.[0];
}

const found = {
  operations: [], answers: 0, requests: 0, unknown: 0, wrong: [],
};
const seen = new Set();

function complain(record, words) {
  if (found.wrong.length < 20) {
    found.wrong.push(`${record.method} ${record.path} ${record.status}: ` +
      `${words}; request ${(record.request ?? "").slice(0, shown)}; ` +
      `answer ${(record.answer ?? "").slice(0, shown)}`);
  }
}

// A number that is too large for JavaScript is a number nevertheless.
function finite(name, value) {
  return Math.abs(value) === Infinity
    ? Math.sign(value) * Number.MAX_VALUE : value;
}

function checkJson(record, key, schema, body, close, part) {
  const validate = validator(key, schema, close);
  let value;
  try {
    value = JSON.parse(body, finite);
  } catch {
    complain(record, `the ${part} is not JSON`);
    return;
  }
  // A field that is null counts as absent.
  if (!close && typeof value === "object" && value !== null &&
      !Array.isArray(value)) {
    value = Object.fromEntries(Object.entries(value).filter(
      ([name, inner]) => inner !== null || schema.required?.includes(name)));
  }
  if (!validate(value)) {
    complain(record, `${part}: ${ajv.errorsText(validate.errors)}`);
  }
}

// The values in a body: one, or one on each line or event.
function values(media, body) {
  if (media === "application/x-ndjson") {
    return body.split("\n").filter((line) => line !== "");
  }
  if (media === "text/event-stream") {
    return body.split("\n").filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5));
  }
  return [body];
}

function checkAnswer(record, operation, key) {
  const status = operation.responses[record.status]
    ? record.status : "default";
  const answer = operation.responses[status];
  const media = (record.type ?? "").split(";")[0].trim();
  found.answers += 1;
  if (!answer) {
    complain(record, "no such answer is described");
    return;
  }
  if (!answer.content) {
    if (record.answer) {
      complain(record, "an answer without content is described");
    }
    return;
  }
  if (record.method === "HEAD" || record.answer === null) {
    return;
  }
  const content = answer.content[media];
  if (!content) {
    complain(record, `the type ${media} is not described`);
  } else if (/json|event-stream/.test(media) && !media.includes("connect")) {
    for (const body of values(media, record.answer)) {
      checkJson(record, `${key} ${status} ${media}`, content.schema, body,
        true, "answer");
    }
  }
}

// Was the request a good one, as far as its door tells?
function isGood(record) {
  if (record.status < 200 || record.status > 299 || record.answer === null) {
    return false;
  }
  let answer;
  try {
    answer = JSON.parse(record.answer);
  } catch {
    return record.status !== 202;
  }
  return answer.error?.type !== "parsing" && !(answer.code < 0) &&
    answer.status !== "program_runner_error" && answer.returncode !== null &&
    !(answer.jsonrpc && answer.error) && !Array.isArray(answer);
}

function checkRequest(record, operation, key) {
  const content = operation.requestBody?.content?.["application/json"];
  if (!content || !record.request || !isGood(record) ||
      /urlencoded/.test(record.request_type ?? "")) {
    return;
  }
  found.requests += 1;
  checkJson(record, `${key} body`, content.schema, record.request, false,
    "request");
}

for (const line of readFileSync(recordsFile, "utf8").split("\n")) {
  if (line === "") {
    continue;
  }
  const record = JSON.parse(line);
  const method = record.method === "HEAD" ? "get"
    : record.method.toLowerCase();
  const path = described(record.path.split("?")[0]);
  const operation = api.paths[path]?.[method];
  if (!operation) {
    found.unknown += 1;
    continue;
  }
  seen.add(operation.operationId);
  checkAnswer(record, operation, `${method} ${path}`);
  checkRequest(record, operation, `${method} ${path}`);
}
found.operations = [...seen].sort();
console.log(JSON.stringify(found));
