import {
  agentInfoSchema,
  approvalSchema,
  attemptExportSchema,
  attemptSchema,
  conversationMessageSchema,
  executionSchema,
  historyMessageSchema,
  nextRequestSchema,
  problemSchema,
  projectSchema,
  queuedMessageSchema,
  sessionHeader,
  storedMessageSchema,
  taskSchema,
  toolDetailsSchema,
  usageSchema,
} from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { z } from "zod";
import type { Route } from "./route.ts";

type JsonObject = Record<string, unknown>;

const named: Record<string, z.ZodType> = {
  Agent: agentInfoSchema,
  Approval: approvalSchema,
  Attempt: attemptSchema,
  AttemptExport: attemptExportSchema,
  ConversationMessage: conversationMessageSchema,
  Execution: executionSchema,
  HistoryMessage: historyMessageSchema,
  NextRequest: nextRequestSchema,
  Problem: problemSchema,
  Project: projectSchema,
  QueuedMessage: queuedMessageSchema,
  StoredMessage: storedMessageSchema,
  Task: taskSchema,
  ToolDetails: toolDetailsSchema,
  Usage: usageSchema,
};

/** The route table as an OpenAPI 3.1 document. */
export function describeApi(routes: readonly Route[], version: string): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const components: JsonObject = {};

  /** Named schemas are collected, so that each is written once. */
  const toSchema = (schema: z.ZodType, io: "input" | "output"): JsonObject => {
    const json = z.toJSONSchema(schema, { io, metadata: registry, unrepresentable: "any" });
    const { $schema: _, $defs, id: __, ...rest } = repointed(json);
    if (isJsonObject($defs)) for (const [id, definition] of Object.entries($defs)) components[id] = withoutId(definition);
    const id = registry.get(schema)?.id;
    if (id === undefined) return rest;
    components[id] = rest;
    return { $ref: `#/components/schemas/${id}` };
  };

  const problem = { description: "A problem", content: { "application/problem+json": { schema: toSchema(problemSchema, "output") } } };
  // of a file, which is no answer in JSON to the route that streams it
  toSchema(attemptExportSchema, "output");
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    const operations = paths[path] ?? {};
    operations[route.method.toLowerCase()] = {
      summary: route.summary,
      operationId: toOperationId(route),
      tags: [route.path.split("/")[2] ?? "api"],
      ...securityOf(route),
      parameters: [...toParameters(route.params, "path", toSchema), ...toParameters(route.query, "query", toSchema)],
      ...toRequestBody(route, toSchema),
      responses: { ...toResponse(route, toSchema), default: problem },
    };
    paths[path] = operations;
  }
  return {
    openapi: "3.1.0",
    info: { title: "Skein", version, description: "A local-first workbench for AI coding agents." },
    security: [{ token: [] }, { sessionCookie: [], sessionSecret: [] }],
    paths,
    components: { schemas: components, securitySchemes },
  };
}

const securitySchemes = {
  token: { type: "http", scheme: "bearer", description: "For programs: the content of the file `token` in the data dir." },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "skein_<instance>",
    description: "For the web UI: set by POST /api/sessions. Counts only together with the session's secret and our own origin.",
  },
  sessionSecret: {
    type: "apiKey",
    in: "header",
    name: sessionHeader,
    description: "For the web UI: the secret that POST /api/sessions returned.",
  },
};

function securityOf({ access }: Route): JsonObject {
  if (access === "public" || access === "own-page") return { security: [] };
  return access === "token" ? { security: [{ token: [] }] } : {};
}

type ToSchema = (schema: z.ZodType, io: "input" | "output") => JsonObject;

function toRequestBody({ body, upload }: Route, toSchema: ToSchema): JsonObject {
  // what is uploaded is what another route writes
  const schema = upload === undefined ? body && toSchema(body, "input") : toSchema(upload, "output");
  return schema === undefined ? {} : { requestBody: { required: true, content: { "application/json": { schema } } } };
}

function toResponse(route: Route, toSchema: ToSchema): JsonObject {
  const { response } = route;
  switch (response.kind) {
    case "json":
      return {
        [response.status]: { description: "Success", content: { "application/json": { schema: toSchema(response.schema, "output") } } },
      };
    case "empty":
      return { 204: { description: "Done" } };
    case "raw":
      if (response.mediaTypes.length === 0) return { 204: { description: "Done" } };
      return { 200: { description: "Success", content: Object.fromEntries(response.mediaTypes.map((type) => [type, {}])) } };
  }
}

function toParameters(schema: z.ZodType | undefined, place: "path" | "query", toSchema: ToSchema): JsonObject[] {
  if (schema === undefined) return [];
  const { properties, required } = toSchema(schema, "input");
  if (!isJsonObject(properties)) return [];
  const mandatory: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || mandatory.includes(name),
    schema: property,
  }));
}

function toOperationId(route: Route): string {
  const words = route.path
    .split("/")
    .slice(2)
    .filter((word) => word !== "" && !word.startsWith(":"));
  const ofOne = route.path.includes("/:id") ? ["by-id"] : [];
  return [route.method.toLowerCase(), ...words, ...ofOne].join("-").replace(/[^\w-]/g, "-");
}

/** JSON Schema keeps definitions next to the schema, OpenAPI in one place for all. */
function repointed(schema: object): JsonObject {
  const parsed: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return isJsonObject(parsed) ? parsed : {};
}

function withoutId(definition: unknown): unknown {
  if (!isJsonObject(definition)) return definition;
  const { id: _, ...rest } = definition;
  return rest;
}
