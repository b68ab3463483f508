import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toMcpToolName } from "./mcp-tool-name.ts";

const anyName = fc.oneof(
  fc.string({ minLength: 1, maxLength: 100, unit: "binary" }),
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom("a", "_", "-", ".") }),
  fc.string({ minLength: 55, maxLength: 70, unit: fc.constantFrom("a", "b") }),
);

describe("MCP tool names", () => {
  test("[T8] stay readable where they can", () => {
    expect(toMcpToolName("github", "create_issue")).toBe("mcp__github__create_issue");
    expect(toMcpToolName("my_server-2", "_private")).toBe("mcp__my_server-2___private");
    expect(toMcpToolName("Wetter Köln", "get.forecast")).toMatch(/^mcp__Wetter_K_ln__get_forecast_[0-9a-f]{10}$/);
    expect(toMcpToolName("天气", "查询")).toMatch(/^mcp__server__tool_[0-9a-f]{10}$/);
  });

  test("[R8] are accepted by every provider", () => {
    fc.assert(
      fc.property(anyName, anyName, (server, tool) => {
        expect(toMcpToolName(server, tool)).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
      }),
    );
  });

  test("[T6] two tools never share one", () => {
    const pair = fc.tuple(anyName, anyName);
    fc.assert(
      fc.property(pair, pair, (a, b) => {
        fc.pre(a[0] !== b[0] || a[1] !== b[1]);
        expect(toMcpToolName(...a)).not.toBe(toMcpToolName(...b));
      }),
    );
    expect(toMcpToolName("a", "b__c")).not.toBe(toMcpToolName("a__b", "c"));
    expect(toMcpToolName("a_", "b")).not.toBe(toMcpToolName("a", "_b"));
    const marked = toMcpToolName("a", "b.c");
    expect(toMcpToolName("a", marked.slice("mcp__a__".length))).not.toBe(marked);
  });
});
