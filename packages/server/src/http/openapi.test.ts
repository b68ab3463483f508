import { describe, expect, it } from "vitest";
import { describeApi } from "./openapi.ts";
import { routeTable } from "./routes/route-table.ts";
import { createTestHttp, send } from "./testing/test-http.ts";

function referencesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "$ref" && typeof inner === "string" ? [inner] : referencesOf(inner)));
}

function resolve(document: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined), document);
}

describe("the OpenAPI document", () => {
  it("is served, and describes every route of the table", async () => {
    const response = await send(createTestHttp(), "GET", "/api/openapi.json");
    const document = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Skein", version: "1.2.3" } });
    for (const { method, path, summary } of routeTable) {
      expect(document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]).toMatchObject({ summary });
    }
  });

  it("has references that lead somewhere, and operation ids that are unique", () => {
    const document = describeApi(routeTable, "1.0.0");
    const references = new Set(referencesOf(document));
    expect([...references]).toContain("#/components/schemas/Task");
    for (const reference of references) expect(resolve(document, reference), reference).toBeTypeOf("object");
    const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
      Object.values(path),
    );
    const operationIds = operations.map((operation) => operation.operationId);
    expect(new Set(operationIds).size).toBe(operationIds.length);
    expect(operationIds.length).toBe(routeTable.length);
  });

  it("describes requests and responses", () => {
    const document = describeApi(routeTable, "1.0.0");
    const post = (document.paths as Record<string, Record<string, unknown>>)["/api/tasks"]?.post;
    expect(post).toMatchObject({
      requestBody: { content: { "application/json": { schema: { type: "object", required: ["projectId", "title"] } } } },
      responses: {
        201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Task" } } } },
        default: { content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
      },
    });
  });
});
