// Keeps the types of @skein/client in step with the route table of the server. `--write` updates them; without it, a difference is an error.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import * as contracts from "../packages/contracts/src/index.ts";
import { routeTable } from "../packages/server/src/http/routes/route-table.ts";
import { inRepository } from "./setup/repository.mjs";

const file = inRepository("packages/client/src/routes.ts");

const registry = z.registry();
for (const [name, schema] of Object.entries(contracts)) {
  if (name.endsWith("Schema") && schema instanceof z.ZodType && !registry.has(schema)) registry.add(schema, { id: toTypeName(name) });
}

function toTypeName(name) {
  // `Event` is a type of browsers
  if (name === "eventSchema") return "SkeinEvent";
  const plain = name.replace(/Schema$/, "");
  return plain[0].toUpperCase() + plain.slice(1);
}

/** Declarations by direction and name: what a request may leave out, an answer has. */
const declared = { input: new Map(), output: new Map() };

function toType(schema, io) {
  const json = z.toJSONSchema(schema, { io, metadata: registry, unrepresentable: "any" });
  const { $defs = {}, ...rest } = json;
  for (const [id, definition] of Object.entries($defs)) if (!declared[io].has(id)) declared[io].set(id, definition);
  const id = registry.get(schema)?.id;
  if (id === undefined) return { io, json: rest };
  if (!declared[io].has(id)) declared[io].set(id, rest);
  return { io, json: { $ref: `#/$defs/${id}` } };
}

/** Whether the declaration of a request differs from that of an answer, also by what it refers to. */
const differs = new Map();
function isDifferent(id) {
  if (differs.has(id)) return differs.get(id);
  differs.set(id, false);
  const [input, output] = [declared.input.get(id), declared.output.get(id)];
  const result =
    input !== undefined && output !== undefined && (write(input, "plain") !== write(output, "plain") || refsOf(input).some(isDifferent));
  differs.set(id, result);
  return result;
}
const refsOf = (json) => [...JSON.stringify(json).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, id]) => id);

const nameOf = (id, io) => (io === "input" && isDifferent(id) ? `${id}Input` : id);

/** Types that are written more than once, by their text: each gets a name. */
const written = new Map();
const shared = new Map();
const shortest = 300;

function write(json, io) {
  if (io === "plain" || (json.type !== "object" && json.anyOf === undefined && json.oneOf === undefined)) return writeOut(json, io);
  const key = `${io} ${JSON.stringify(json)}`;
  const known = shared.get(key);
  if (known !== undefined) return known;
  const text = writeOut(json, io);
  if (text.length < shortest) return text;
  const name = written.get(text);
  if (name === undefined) {
    const next = `Shared${written.size + 1}`;
    written.set(text, next);
    shared.set(key, next);
    return next;
  }
  shared.set(key, name);
  return name;
}

function writeOut(json, io) {
  if (json.$ref !== undefined) {
    const id = json.$ref.replace("#/$defs/", "");
    return io === "plain" ? id : nameOf(id, io);
  }
  if ("const" in json) return JSON.stringify(json.const);
  if (json.enum !== undefined) return json.enum.map((value) => JSON.stringify(value)).join(" | ");
  const forms = json.anyOf ?? json.oneOf;
  if (forms !== undefined) return union(forms.map((form) => write(form, io)));
  if (json.allOf !== undefined) return json.allOf.map((form) => `(${write(form, io)})`).join(" & ");
  if (Array.isArray(json.type)) return union(json.type.map((type) => write({ ...json, type }, io)));
  switch (json.type) {
    case "string":
    case "boolean":
    case "null":
      return json.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      if (json.prefixItems !== undefined) return `[${json.prefixItems.map((item) => write(item, io)).join(", ")}]`;
      return `(${write(json.items ?? {}, io)})[]`;
    case "object":
      return writeObject(json, io);
    default:
      return "unknown";
  }
}

const union = (forms) => [...new Set(forms)].join(" | ");

function writeObject({ properties = {}, required = [], additionalProperties }, io) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const isOptional = !required.includes(name);
    return `${key}${isOptional ? "?" : ""}: ${write(field, io)}${isOptional ? " | undefined" : ""}`;
  });
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  return typeof additionalProperties === "object"
    ? `{ [name: string]: ${write(additionalProperties, io)} }`
    : "{ [name: string]: unknown }";
}

function describeRoute(route) {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const parts = [
    ...(names.length === 0 ? [] : [["params", { io: "text", text: `{ ${names.map((name) => `${name}: string`).join("; ")} }` }]]),
    ...(route.query === undefined ? [] : [["query", toType(route.query, "input")]]),
    ...(route.body === undefined ? [] : [["body", toType(route.body, "input")]]),
    ...(route.upload === undefined ? [] : [["body", toType(route.upload, "output")]]),
  ];
  const { response } = route;
  const answer =
    response.kind === "json" ? toType(response.schema, "output") : { io: "text", text: response.kind === "empty" ? "void" : "Response" };
  return { route, parts, answer };
}

function render() {
  const described = routeTable.map(describeRoute);
  // of every route: what it answers if it fails, and what the event stream sends
  for (const schema of [contracts.problemSchema, contracts.eventSchema]) toType(schema, "output");
  const text = ({ io, json, text: known }) => known ?? write(json, io);
  const rows = described.map(({ route, parts, answer }) => {
    const input = parts.map(([name, part]) => `${name}: ${text(part)}`);
    const fields = [...input, `response: ${text(answer)}`].join("; ");
    return `  /** ${route.summary.replaceAll("*/", "")} */\n  "${route.method} ${route.path}": { ${fields} };`;
  });
  const ids = [...new Set([...declared.output.keys(), ...declared.input.keys()])].sort();
  const types = ids.flatMap((id) => [
    `export type ${id} = ${writeOut(declared.output.get(id) ?? declared.input.get(id), declared.output.has(id) ? "output" : "input")};`,
    ...(isDifferent(id) ? [`export type ${id}Input = ${writeOut(declared.input.get(id), "input")};`] : []),
  ]);
  const kinds = described.map(({ route }) => route).filter(({ response }) => response.kind !== "json");
  const raw = kinds.map(({ method, path, response }) => `  "${method} ${path}": "${response.kind}",`);
  return `// Written by \`npm run spec\` from the route table of the server. Do not edit.

/** Every route: its input and its response. Fields with defaults may be left out of inputs. */
export interface Routes {
${rows.join("\n")}
}

/** Routes that do not answer with JSON. */
export const otherRoutes: Readonly<Record<string, "empty" | "raw">> = {
${raw.join("\n")}
};

${types.join("\n")}

${[...written].map(([text, name]) => `type ${name} = ${text};`).join("\n")}
`;
}

const wanted = render();
if (process.argv.includes("--write")) writeFileSync(file, wanted);
else if (readFileSync(file, "utf8") !== wanted) {
  console.error("packages/client/src/routes.ts does not match the route table. Run: npm run spec");
  process.exitCode = 1;
}
