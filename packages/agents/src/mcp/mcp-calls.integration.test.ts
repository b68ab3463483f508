import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { connectForTest } from "./mcp.fixture.ts";

const normal = { programs: { demo: {} } };

describe("[N1] tools of an MCP server", () => {
  test("[N1] are all listed, page after page, with their schemas", async () => {
    const { tools, systemPrompts, notices } = await connectForTest(normal);
    expect(tools.length).toBeGreaterThan(10);
    expect(tools[0]?.definition).toEqual({
      name: "mcp__demo__echo",
      description: "Returns its text",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    });
    expect(tools.every((tool) => tool.access === "command")).toBe(true);
    expect(systemPrompts).toEqual(["What the MCP server “demo” says about its tools:\nCall echo before anything else.\n"]);
    expect(notices).toEqual([]);
  });

  test("[N1] answer with text, images, structured content and what can only be described", async () => {
    const { call } = await connectForTest(normal);
    expect(await call("mcp__demo__echo", { text: "héllo 🎈" })).toEqual({ output: "héllo 🎈", state: "completed" });

    const image = await call("mcp__demo__image");
    expect(image.output).toBe("a picture\n[an image (image/png, 12 bytes) that cannot be shown]");
    // the type is detected from the bytes, not the one that the server claims
    expect(image.images).toEqual([expect.objectContaining({ type: "image", mediaType: "image/png" })]);

    expect(await call("mcp__demo__structured")).toEqual({
      output: '{\n  "temperature": 21,\n  "unit": "°C"\n}',
      state: "completed",
      structured: { structuredContent: { temperature: 21, unit: "°C" } },
    });
    expect((await call("mcp__demo__resources")).output.split("\n")).toEqual([
      "[resource notes · file:///notes.md · text/markdown]",
      "[resource memo://1]",
      "remember the milk",
      "[resource memo://2 (application/zip, 3 bytes) that cannot be shown]",
      "[audio (audio/wav, 3 bytes) that cannot be played]",
    ]);
  });

  test("[N1] fail as values: a tool error, a protocol error, invalid arguments", async () => {
    const { call } = await connectForTest(normal);
    expect(await call("mcp__demo__fails")).toEqual({ output: "there is no such city", state: "failed" });
    expect(await call("mcp__demo__refuses")).toMatchObject({ output: expect.stringContaining("out of order"), state: "failed" });
    expect(await call("mcp__demo__echo", {})).toMatchObject({ output: expect.stringContaining("text is missing"), state: "failed" });
    expect(await call("mcp__demo__echo", ["text"])).toMatchObject({
      output: expect.stringContaining("expected an object"),
      state: "failed",
    });
    expect(await call("mcp__demo__echo", { text: "still there" })).toMatchObject({ state: "completed" });
  });

  test("[N3] a long output is cut in its middle and kept whole in a file", async () => {
    const { call } = await connectForTest(normal);
    const { output, structured } = await call("mcp__demo__huge", { length: 3_000_000 }, { toolUseId: "call_huge" });
    expect(output.length).toBeLessThan(40_000);
    expect(output).toMatch(/^begin x+\n\[\d+ characters left out; the whole output is in .*call_huge\.txt\]\nx+ end$/);
    const { outputFile } = structured as { outputFile: string };
    expect(readFileSync(outputFile, "utf8")).toBe(`begin ${"x".repeat(3_000_000)} end`);
  });

  test("[X11] a server sees the allow-listed environment and its own variables, and no others", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "secret");
    const { call } = await connectForTest({ ...normal, environment: { PATH: process.env.PATH ?? "", LANG: "C" } });
    expect((await call("mcp__demo__environment")).output).toBe("LANG MCP_TEST_MARKER PATH");
    vi.unstubAllEnvs();
  });

  test("[N3] a server gets the attempt's directory as its only root", async () => {
    const { call, directory } = await connectForTest(normal);
    expect((await call("mcp__demo__roots")).output).toBe(pathToFileURL(directory).href);
  });
});

describe("[N2] waiting for a call", () => {
  test("[N2] stop cancels it, and notifies the server", async () => {
    const { call, readTrace } = await connectForTest(normal);
    const stopping = new AbortController();
    const outcome = call("mcp__demo__hangs", {}, { signal: stopping.signal });
    await vi.waitFor(() => expect(readTrace()).toContain("hangs called"));
    stopping.abort(new Error("stopped"));
    expect(await outcome).toMatchObject({ state: "interrupted", output: expect.stringContaining("may have done part") });
    await vi.waitFor(() => expect(readTrace()).toContain("hangs cancelled"));
    expect(await call("mcp__demo__echo", { text: "next" })).toMatchObject({ state: "completed" });
  });

  test("[N2] without an answer it times out, and the server is notified", async () => {
    const { call, readTrace } = await connectForTest({ ...normal, callTimeoutMs: 50 });
    expect(await call("mcp__demo__hangs")).toMatchObject({ state: "timed-out" });
    await vi.waitFor(() => expect(readTrace()).toContain("hangs cancelled"));
  });

  test("[N2] progress is shown, and gives it more time", async () => {
    const { call } = await connectForTest({ ...normal, callTimeoutMs: 1500 });
    const shown: string[] = [];
    const input = { steps: 8, stepMs: 300 };
    const outcome = await call("mcp__demo__slow", input, { onProgress: (text) => void shown.push(text) });
    expect(outcome).toEqual({ output: "done", state: "completed" });
    // the last one may come with the answer, and is not reported then
    expect(shown.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6].map((step) => `working (${step} of 8)\n`));
  });
});
