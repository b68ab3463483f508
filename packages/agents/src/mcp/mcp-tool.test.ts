import { buildImage } from "@skein/testkit/histories";
import { describe, expect, test } from "vitest";
import { parseMcpTool } from "./mcp-tool.ts";
import { toImagePart } from "./to-image-part.ts";

const tool = { name: "t", description: "d", inputSchema: { type: "object", properties: { a: {}, b: {} } } };

describe("a tool as its server describes it", () => {
  test("[X8] its hash covers everything that a model gets, and nothing else", () => {
    const hashOf = (value: unknown) => parseMcpTool(value)?.hash;
    const reordered = { inputSchema: { properties: { b: {}, a: {} }, type: "object" }, name: "t", description: "d", _meta: { x: 1 } };
    expect(hashOf(reordered)).toBe(hashOf(tool));
    const long = "x".repeat(5000);
    const different = [
      tool,
      { ...tool, name: "u" },
      { ...tool, description: "e" },
      { ...tool, description: `${long}a` },
      { ...tool, description: `${long}b` },
      { ...tool, inputSchema: { type: "object", properties: { a: {} } } },
      { ...tool, inputSchema: { ...tool.inputSchema, required: ["a", "b"] } },
      { ...tool, inputSchema: { ...tool.inputSchema, required: ["b", "a"] } },
      { ...tool, inputSchema: JSON.parse('{"type":"object","properties":{"a":{},"b":{},"__proto__":{"x":1}}}') },
    ];
    expect(new Set(different.map(hashOf)).size).toBe(different.length);
  });

  test("[Q13] tools that no model could be offered are left out: no schema, a huge one, one of unlimited depth", () => {
    let deep: object = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { a: deep };
    const values = [null, "tool", {}, { name: "t" }, { ...tool, inputSchema: "object" }, { ...tool, name: "" }];
    for (const value of [...values, { ...tool, inputSchema: deep }, { ...tool, inputSchema: { a: "x".repeat(70_000) } }]) {
      expect(parseMcpTool(value)).toBeUndefined();
    }
  });

  test("[Q17] a long description is cut, not through an emoji", () => {
    const description = parseMcpTool({ ...tool, description: "🎈".repeat(3000) })?.description ?? "";
    expect(description.length).toBeLessThan(4100);
    expect(description.isWellFormed()).toBe(true);
  });
});

describe("images from a server", () => {
  test.each(["image/png", "image/jpeg", "image/gif", "image/webp"] as const)("[R8] %s is detected from its bytes", (mediaType) => {
    const image = buildImage(mediaType, { width: 1, height: 1 });
    expect(toImagePart(image.data)).toEqual(image);
  });

  test("[R8] an image that a provider would reject is left out", () => {
    const png = buildImage("image/png", { width: 1, height: 1 }).data;
    for (const data of ["", "AAAA", `data:image/png;base64,${png}`, `${png}\n`, `${png}!!!`, png + "A".repeat(6 * 1024 * 1024)]) {
      expect(toImagePart(data)).toBeUndefined();
    }
  });
});
