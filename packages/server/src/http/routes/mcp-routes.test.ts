import { describe, expect, test } from "vitest";
import { mcpServer, projectId } from "../testing/samples.ts";
import { createTestHttp, send } from "../testing/test-http.ts";

const hash = "a".repeat(64);

function createHttp() {
  const received: unknown[] = [];
  const http = createTestHttp({
    services: {
      mcpServers: {
        list: async () => ({ servers: [mcpServer], problems: [], problemTexts: [] }),
        trust: async (...input) => {
          received.push(input);
          return mcpServer;
        },
        revoke: async (...input) => void received.push(input),
      },
    },
  });
  return { http, received };
}

describe("trusting an MCP server", () => {
  test("[X7] only its name and hash are taken from the request", async () => {
    const { http, received } = createHttp();
    const json = { hash, command: "/bin/sh", args: ["-c", "evil"], env: { A: "b" } };
    expect((await send(http, "POST", `/api/projects/prj_1/mcp-servers/demo/trust`, { json })).status).toBe(200);
    expect(received).toEqual([[projectId, "demo", { hash }]]);
  });

  test.each(["天气", "my server", "a.b"])("[X8] the server %s is the one that is meant", async (name) => {
    const { http, received } = createHttp();
    const path = `/api/projects/prj_1/mcp-servers/${encodeURIComponent(name)}/trust`;
    expect((await send(http, "POST", path, { json: { hash } })).status).toBe(200);
    expect((await send(http, "DELETE", path)).status).toBe(204);
    expect(received).toEqual([
      [projectId, name, { hash }],
      [projectId, name],
    ]);
  });

  test.each([{}, { hash: "" }, { hash: "A".repeat(64) }, { hash: [hash] }, [], null])("[X8] %j is no consent", async (json) => {
    const { http, received } = createHttp();
    expect((await send(http, "POST", "/api/projects/prj_1/mcp-servers/demo/trust", { json })).status).toBe(400);
    expect(received).toEqual([]);
  });

  test.each(["%2e%2e%2fx", "-", "a%00b"])("a name that no server can have is not found: %s", async (name) => {
    const { http, received } = createHttp();
    expect((await send(http, "POST", `/api/projects/prj_1/mcp-servers/${name}/trust`, { json: { hash } })).status).toBe(404);
    expect(received).toEqual([]);
  });
});
