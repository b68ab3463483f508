// Keeps docs/http.md in step with the route table of the server. `--write` updates it; without it, a difference is an error.
import { readFileSync, writeFileSync } from "node:fs";
import { describeApi } from "../packages/server/src/http/openapi.ts";
import { routeTable } from "../packages/server/src/http/routes/route-table.ts";
import { inRepository } from "./setup/repository.mjs";

const document = inRepository("docs/http.md");

const introduction = `# HTTP API

JSON over HTTP. Errors are problem details (RFC 9457), with a \`code\` for programs. \`GET /api/openapi.json\` returns this description with every
schema; [ARCHITECTURE.md](../ARCHITECTURE.md#http) explains streaming, sessions and limits.

\`\`\`sh
curl -H "Authorization: Bearer $(cat ~/.skein/token)" http://127.0.0.1:4180/api/tasks
\`\`\`

The last column is who may use a route on a server with users (\`skein serve --team\`): a role in the project of every id that the request
names, *signed-in* for all users, or administrators. API tokens need the scope *read* for viewers' routes, *write* for members', *manage* for owners',
*admin* for administrators'.

A field or parameter with \`?\` is optional. Every route needs a credential, unless it is marked *public*.

<!-- written by npm run spec -->
`;

function listFields({ properties = {}, required = [] }) {
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
}

/** The fields of a body; those of each form where it has several. */
function describeBody(schema) {
  if (schema === undefined) return "";
  if (schema.$ref !== undefined) return `\`${schema.$ref.split("/").at(-1)}\``;
  const forms = schema.anyOf ?? schema.oneOf ?? [schema];
  return forms.map((form) => `\`{ ${listFields(form).join(", ")} }\``).join(" or ");
}

function describeOperation(path, method, operation) {
  const query = operation.parameters.filter((parameter) => parameter.in === "query");
  const names = query.map(({ name, required }) => `\`${required ? name : `${name}?`}\``).join(", ");
  const body = describeBody(operation.requestBody?.content["application/json"].schema);
  const isPublic = operation.security?.length === 0;
  const access = describeAccess(
    routeTable.find((one) => one.method === method.toUpperCase() && one.path === path.replace(/\{(\w+)\}/g, ":$1")),
  );
  const route = `\`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}\`${isPublic ? " *public*" : ""}`;
  const input = [names && `query ${names}`, body].filter(Boolean).join("; ");
  return `| ${route} | ${operation.summary.replaceAll("|", "\\|")} | ${input} | ${access} |`;
}

/** Who may use a route of a server with users. */
function describeAccess({ access }) {
  if (typeof access === "object") return access.project;
  return { public: "anybody", "own-page": "the sign-in page", token: "the server's token", browser: "own account" }[access] ?? access;
}

function render() {
  const { paths } = describeApi(routeTable, "");
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => describeOperation(path, method, operation)),
  );
  return `${introduction}\n| route | what it does | input | with users |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

const wanted = render();
if (process.argv.includes("--write")) writeFileSync(document, wanted);
else if (readFileSync(document, "utf8") !== wanted) {
  console.error("docs/http.md does not match the route table. Run: npm run spec");
  process.exitCode = 1;
}
