import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/*
 * Takes the operations that the scripted GitHub server offers from GitHub's OpenAPI description, as JSON Schema. The package with the
 * whole description has 390 MB, so it is no dependency:
 *
 *   npm pack @octokit/openapi && tar xf octokit-openapi-*.tgz package/generated/api.github.com.json
 *   node scripts/update-forge-description.mjs package/generated/api.github.com.json
 */

const operations = [
  ["get", "/repos/{owner}/{repo}/pulls"],
  ["post", "/repos/{owner}/{repo}/pulls"],
  ["get", "/repos/{owner}/{repo}/pulls/{pull_number}"],
  ["patch", "/repos/{owner}/{repo}/pulls/{pull_number}"],
  ["get", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews"],
  ["get", "/repos/{owner}/{repo}/pulls/{pull_number}/comments"],
  ["get", "/repos/{owner}/{repo}/issues/{issue_number}/comments"],
  ["get", "/repos/{owner}/{repo}/commits/{ref}/check-runs"],
  ["get", "/repos/{owner}/{repo}/commits/{ref}/status"],
  ["get", "/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations"],
  ["get", "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs"],
];

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("Usage: node scripts/update-forge-description.mjs <api.github.com.json>");
const document = JSON.parse(readFileSync(source, "utf8"));
const definitions = {};

/** OpenAPI 3.0 to JSON Schema, without prose. Schemas that are referred to become definitions. */
function convert(value) {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  if (typeof value.$ref === "string") {
    const name = value.$ref.replace("#/components/schemas/", "");
    if (!(name in definitions)) {
      definitions[name] = {};
      definitions[name] = convert(document.components.schemas[name]);
    }
    return { $ref: `#/definitions/${name}` };
  }
  const { nullable, ...rest } = value;
  const dropped = new Set(["example", "examples", "description", "title", "deprecated", "externalDocs", "discriminator", "default"]);
  const schema = {};
  for (const [key, part] of Object.entries(rest)) {
    // a property may have such a name
    if (dropped.has(key) && typeof part !== "object") continue;
    if (key === "example" || key === "examples") continue;
    schema[key] =
      key === "properties" ? Object.fromEntries(Object.entries(part).map(([name, property]) => [name, convert(property)])) : convert(part);
  }
  return nullable === true ? { anyOf: [{ type: "null" }, schema] } : schema;
}

const resolve = (value) =>
  typeof value?.$ref === "string"
    ? value.$ref
        .slice(2)
        .split("/")
        .reduce((at, key) => at[key], document)
    : value;

const description = operations.map(([method, path]) => {
  const operation = document.paths[path][method];
  const parameters = operation.parameters.map(resolve).map(({ name, in: place, required, schema }) => ({
    ...{ name, in: place, required: required ?? false },
    schema: convert(schema),
  }));
  const body = resolve(operation.requestBody)?.content["application/json"].schema;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const schema = resolve(response).content?.["application/json"]?.schema;
    return [status, schema === undefined ? null : convert(schema)];
  });
  return {
    ...{ method: method.toUpperCase(), path, parameters, body: body === undefined ? null : convert(body) },
    responses: Object.fromEntries(responses),
  };
});

const target = fileURLToPath(new URL("../packages/testkit/src/forge-servers/github-description.json", import.meta.url));
const origin = { source: "GitHub REST API description, by @octokit/openapi", version: document.info.version, license: "MIT, © GitHub" };
writeFileSync(target, `${JSON.stringify({ origin, operations: description, definitions })}\n`);
console.log(`${Object.keys(definitions).length} definitions`);
