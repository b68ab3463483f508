import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { buildImage } from "../histories/build-image.ts";

export interface ScriptedTool {
  description: string;
  inputSchema: { type: "object"; properties?: Record<string, object>; required?: string[] };
  run(input: Record<string, unknown>, call: ScriptedCall): CallToolResult | Promise<CallToolResult>;
}

export interface ScriptedCall {
  extra: RequestHandlerExtra<ServerRequest, ServerNotification>;
  trace(line: string): void;
  /** Ends the server as a crash does. */
  die(): void;
  changeTools(): Promise<void>;
  listRoots(): Promise<string[]>;
}

const nothing = { type: "object" as const };
const text = (value: string): CallToolResult => ({ content: [{ type: "text", text: value }] });

/** One tool for each thing that a server can do to its client. */
export const scriptedMcpTools: Readonly<Record<string, ScriptedTool>> = {
  echo: {
    description: "Returns its text",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: ({ text: value }) => text(String(value)),
  },
  environment: {
    description: "Lists the names of its environment variables",
    inputSchema: nothing,
    run: () => text(Object.keys(process.env).sort().join(" ")),
  },
  roots: {
    description: "Asks which folder to work in",
    inputSchema: nothing,
    run: async (_, call) => text((await call.listRoots()).join(" ")),
  },
  image: {
    description: "Returns an image with a wrong type",
    inputSchema: nothing,
    run: () => ({
      content: [
        { type: "text", text: "a picture" },
        { type: "image", mimeType: "image/jpeg", data: buildImage("image/png", { width: 2, height: 1 }).data },
        { type: "image", mimeType: "image/png", data: Buffer.from("no picture").toString("base64") },
      ],
    }),
  },
  structured: {
    description: "Returns structured content and no text",
    inputSchema: nothing,
    run: () => ({ content: [], structuredContent: { temperature: 21, unit: "°C" } }),
  },
  resources: {
    description: "Returns a link, two embedded resources and audio",
    inputSchema: nothing,
    run: () => ({
      content: [
        { type: "resource_link", uri: "file:///notes.md", name: "notes", mimeType: "text/markdown" },
        { type: "resource", resource: { uri: "memo://1", text: "remember the milk" } },
        { type: "resource", resource: { uri: "memo://2", mimeType: "application/zip", blob: "AAAA" } },
        { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      ],
    }),
  },
  fails: { description: "Fails", inputSchema: nothing, run: () => ({ ...text("there is no such city"), isError: true }) },
  refuses: {
    description: "Responds with a protocol error",
    inputSchema: nothing,
    run: () => {
      throw new Error("out of order");
    },
  },
  slow: {
    description: "Works until it is cancelled, or in steps that it reports",
    inputSchema: { type: "object", properties: { steps: { type: "integer" }, stepMs: { type: "integer" } } },
    async run({ steps, stepMs }, { extra, trace }) {
      const progressToken = extra._meta?.progressToken;
      for (let step = 1; step <= Number(steps) && !extra.signal.aborted; step++) {
        await new Promise((resolve) => setTimeout(resolve, Number(stepMs)));
        if (progressToken === undefined) continue;
        const params = { progressToken, progress: step, total: Number(steps), message: "working" };
        await extra.sendNotification({ method: "notifications/progress", params });
      }
      trace(extra.signal.aborted ? "slow cancelled" : "slow done");
      return text("done");
    },
  },
  hangs: {
    description: "Never answers",
    inputSchema: nothing,
    run: (_, { extra, trace }) =>
      new Promise(() => {
        trace("hangs called");
        extra.signal.addEventListener("abort", () => trace("hangs cancelled"));
      }),
  },
  huge: {
    description: "Returns that many characters",
    inputSchema: { type: "object", properties: { length: { type: "integer" } } },
    run: ({ length }) => text(`begin ${"x".repeat(Number(length))} end`),
  },
  dies: {
    description: "Ends its process in the middle of the call",
    inputSchema: nothing,
    run(_, { trace, die }) {
      trace("dies called");
      die();
      return new Promise(() => {});
    },
  },
  changes: {
    description: "Removes `echo`, adds `another` and changes the description of `structured`",
    inputSchema: nothing,
    async run(_, call) {
      await call.changeTools();
      return text("changed");
    },
  },
};
