import { problemSchema } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { nodeHeader } from "../../nodes/node-header.ts";
import type { Route } from "../route.ts";
import { addressOf, keyOf, needsTeam, sampleBodies } from "../testing/sample-requests.ts";
import { createTestHttp, fakeTokens, send } from "../testing/test-http.ts";
import { routeTable } from "./route-table.ts";

const nodes = { secret: "secret-of-the-nodes", forward: async () => undefined, redeem: async () => false };

function call(http: ReturnType<typeof createTestHttp>, route: Route) {
  const json = route.path === "/api/sessions" ? { code: new URL(http.createLaunchUrl()).hash.slice(1) } : sampleBodies[keyOf(route)];
  const headers: Record<string, string> = {
    ...(route.access === "node" ? { [nodeHeader]: nodes.secret } : {}),
    ...(route.path === "/mcp" ? { accept: "application/json, text/event-stream" } : {}),
  };
  return send(http, route.method, addressOf(route), { headers, ...(json === undefined ? {} : { json }) });
}

describe("the route table", () => {
  const [ofTeam, ofAll] = [routeTable.filter(needsTeam), routeTable.filter((route) => !needsTeam(route))];

  it.each(ofTeam.map((route) => [keyOf(route), route] as const))("[W5] %s is not there without users", async (_, route) => {
    const response = await send(createTestHttp(), route.method, addressOf(route), toOptions(sampleBodies[keyOf(route)]));
    expect([response.status, problemSchema.parse(await response.json()).code]).toEqual([404, "team-mode-off"]);
  });

  it.each(ofAll.map((route) => [keyOf(route), route] as const))("%s returns what its schema describes", async (_, route) => {
    const response = await call(createTestHttp({ nodes, loadTokens: async () => fakeTokens }), route);
    switch (route.response.kind) {
      case "json":
        expect(response.status).toBe(route.response.status);
        expect(response.headers.get("content-type")).toBe("application/json");
        expect(z.strictObject({ data: route.response.schema }).safeParse({ data: await response.json() }).error).toBeUndefined();
        break;
      case "empty":
        expect([response.status, response.body]).toEqual([204, null]);
        break;
      case "raw":
        expect(response.ok).toBe(true);
        if (route.response.mediaTypes.length > 0) {
          expect(route.response.mediaTypes).toContain(response.headers.get("content-type")?.split(";")[0]);
        }
        await response.body?.cancel();
    }
  });

  it("has the routes that programs rely on, each once", () => {
    const keys = routeTable.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(
      expect.arrayContaining([
        "GET /api/health",
        ...["projects", "tasks"].flatMap((name) => [
          `GET /api/${name}`,
          `POST /api/${name}`,
          ...["GET", "PATCH", "DELETE"].map((method) => `${method} /api/${name}/:id`),
        ]),
        ...["GET", "POST"].map((method) => `${method} /api/tasks/:id/attempts`),
        ...["GET", "DELETE"].map((method) => `${method} /api/attempts/:id`),
        "POST /api/attempts/:id/activate",
        ...["diff", "messages", "executions", "export"].map((part) => `GET /api/attempts/:id/${part}`),
        "POST /api/commands",
        "GET /api/overview",
        "GET /api/tasks/:id/overview",
        "GET /api/tasks/:id/conversation",
        "GET /api/tasks/:id/queue",
        "PATCH /api/queue/:id",
        "DELETE /api/queue/:id",
        "DELETE /api/attempts/:id/queue",
        "GET /api/events",
        "GET /api/approvals",
        "POST /api/approvals/:id",
        "GET /api/inbox",
        "PATCH /api/inbox/:id",
        "GET /api/agents",
        "GET /api/search",
        "POST /api/launch-codes",
        "POST /api/sessions",
        "POST /api/logout",
        "GET /api/openapi.json",
      ]),
    );
  });

  it("[X7] no request names a program, arguments, an environment or a directory to run in", () => {
    const forbidden = /^(program|executable|binary|shell|args|argv|arguments|env|environment|command|commands|cwd|directory|script)$/i;
    const fields = routeTable.flatMap((route) =>
      [route.params, route.query, route.body].flatMap((schema) =>
        schema ? fieldsOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })) : [],
      ),
    );
    expect(fields).toContain("message");
    expect(fields.filter((field) => forbidden.test(field))).toEqual([]);
  });

  it("[X7] what no schema names does not reach the services", async () => {
    let received: unknown;
    const http = createTestHttp({
      services: {
        commands: {
          execute: async (command) => {
            received = command;
            return {};
          },
        },
      },
    });
    const json = { type: "SEND_MESSAGE", taskId: "tsk_1", message: "hi", program: "/bin/sh", env: { A: "b" } };
    expect((await send(http, "POST", "/api/commands", { json })).status).toBe(200);
    expect(received).toEqual({ type: "SEND_MESSAGE", taskId: "tsk_1", message: "hi" });
  });
});

const toOptions = (json: unknown) => (json === undefined ? {} : { json });

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [...(key === "properties" ? Object.keys(value) : []), ...fieldsOf(value)]);
}

describe("problems", () => {
  const problemOf = async (response: Response) => {
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem = problemSchema.parse(await response.json());
    expect(problem.status).toBe(response.status);
    return problem;
  };

  it("[E2] SEND_MESSAGE on a task without an attempt fails with the service's own words", async () => {
    const http = createTestHttp({
      services: {
        commands: {
          execute: async () => {
            throw new ServiceError("conflict", { code: "no-attempt" });
          },
        },
      },
    });
    const response = await send(http, "POST", "/api/commands", { json: sampleBodies["POST /api/commands"] });
    expect(await problemOf(response)).toEqual({
      type: "about:blank",
      title: "Conflict",
      status: 409,
      code: "no-attempt",
      detail: "No attempt found for this task. Please create an attempt first.",
    });
  });

  it.each([
    ["not-found", 404],
    ["invalid", 422],
    ["conflict", 409],
    ["forbidden", 403],
    ["unavailable", 503],
  ] as const)("a service's %s is %i", async (kind, status) => {
    const list = async () => {
      throw new ServiceError(kind, { code: "project-not-found", id: "prj_1" });
    };
    const response = await send(createTestHttp({ services: { agents: { list } } }), "GET", "/api/agents");
    expect(await problemOf(response)).toMatchObject({
      status,
      code: "project-not-found",
      id: "prj_1",
      detail: "There is no project prj_1. It may have been deleted.",
    });
  });

  it("a bug is a 500 without its details, and logged with them", async () => {
    const logged: unknown[] = [];
    const bug = new Error("secret path /home/someone");
    const list = async () => {
      throw bug;
    };
    const logger = { info() {}, warn() {}, error: (event: string, fields?: object) => void logged.push([event, fields]) };
    const response = await send(createTestHttp({ logger, services: { agents: { list } } }), "GET", "/api/agents");
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ status: 500, code: "internal-error" });
    expect(JSON.stringify(problem)).not.toContain("someone");
    expect(logged).toEqual([["a request failed", { error: bug, method: "GET", path: "/api/agents" }]]);
  });

  it("bad input is a 400 that names every field", async () => {
    const response = await send(createTestHttp(), "POST", "/api/tasks", { json: { projectId: "nonsense", title: " ", tags: ["a", ""] } });
    const problem = await problemOf(response);
    expect([problem.status, problem.code, problem.errors?.map((error) => error.path)]).toEqual([
      400,
      "invalid-request",
      ["projectId", "title", "tags.1"],
    ]);
  });

  it.each([
    ["GET", "/api/nothing", {}, 404, "unknown-route"],
    ["GET", "/api", {}, 404, "unknown-route"],
    ["GET", "/api/tasks/nonsense", {}, 404, "not-found"],
    ["GET", "/api/projects/prj_9", {}, 404, "project-not-found"],
    ["PUT", "/api/tasks", {}, 405, "method-not-allowed"],
    ["PUT", "/", {}, 405, "method-not-allowed"],
    ["GET", "/api/search", {}, 400, "invalid-request"],
    ["GET", "/api/tasks?status=nonsense", {}, 400, "invalid-request"],
    ["GET", "/api/events?after=-1", {}, 400, "invalid-request"],
    ["GET", "/api/events?after=x", {}, 400, "invalid-request"],
    ["GET", "/api/tasks/tsk_1/conversation?limit=100000", {}, 400, "invalid-request"],
    ["POST", "/api/tasks", { body: "{", headers: { "content-type": "application/json" } }, 400, "malformed-json"],
    ["POST", "/api/tasks", {}, 400, "invalid-request"],
    ["POST", "/api/tasks", { json: null }, 400, "invalid-request"],
    ["POST", "/api/tasks", { json: [] }, 400, "invalid-request"],
  ] as const)("%s %s %j is %i %s", async (method, path, options, status, code) => {
    expect(await problemOf(await send(createTestHttp(), method, path, options))).toMatchObject({ status, code });
  });

  it("405 lists the allowed methods", async () => {
    const response = await send(createTestHttp(), "PUT", "/api/tasks/tsk_1");
    expect(response.headers.get("allow")).toBe("GET, HEAD, PATCH, DELETE");
  });

  it("[X13] a body over its limit is 413, a message over its length 400", async () => {
    const http = createTestHttp({ limits: { bodyBytes: 100, commandBodyBytes: 2_000_000 } });
    const large = await send(http, "POST", "/api/tasks", { json: { projectId: "prj_1", title: "x".repeat(100) } });
    expect(await problemOf(large)).toMatchObject({ status: 413, code: "body-too-large" });
    const message = { type: "SEND_MESSAGE", taskId: "tsk_1", message: "x".repeat(1_000_001) };
    expect(await problemOf(await send(http, "POST", "/api/commands", { json: message }))).toMatchObject({ status: 400 });
  });

  it("a file name cannot add a header", async () => {
    const { headers } = await send(createTestHttp(), "GET", "/api/attempts/att_1/export?format=markdown");
    expect(headers.get("content-disposition")).toBe('attachment; filename="a _task___x_ y.md"');
  });
});
