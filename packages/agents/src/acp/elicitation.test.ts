import type { ApprovalAnswers, ApprovalDecision, ExecutionId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { DriverControl } from "../driver/driver-control.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";
import { readElicitation, toElicitationAnswer, toElicitationInput } from "./elicitation.ts";
import { driveFake, type FakeRun, listTexts } from "./fake-agent.fixture.ts";

const schema = {
  type: "object",
  required: ["name", "kind"],
  properties: {
    name: { type: "string", title: "Name", description: "Of the new package" },
    port: { type: "integer", title: "Port", minimum: 1, maximum: 65535, default: 8080 },
    ratio: { type: "number" },
    strict: { type: "boolean", title: "Strict?", default: true },
    kind: {
      type: "string",
      title: "Kind",
      oneOf: [
        { const: "lib", title: "Library" },
        { const: "app", title: "Application", description: "with a main" },
      ],
    },
    tags: { type: "array", title: "Tags", items: { type: "string", enum: ["a", "b"] }, maxItems: 2 },
  },
};
const form = { mode: "form", sessionId: "s1", message: "How shall it be?", requestedSchema: schema };

function ask(params: object) {
  return `on("session/prompt", async () => { const { result, error } = await ask("elicitation/create", ${JSON.stringify(params)}); sendText(JSON.stringify(result ?? error.code)); return { stopReason: "end_turn" }; });`;
}

function answerWith(decision: ApprovalDecision, answers?: ApprovalAnswers) {
  return (line: string, control: (control: DriverControl) => void): void => {
    const { id, method } = JSON.parse(line) as { id?: string; method?: string };
    if (method !== "elicitation/create") return;
    const requestId = JSON.stringify({ id });
    const answer = { type: "approval", toolUseId: "u", requestId, toolName: "ask", input: null, reason: null, grant: undefined } as const;
    queueMicrotask(() => {
      control({ ...answer, decision, answers });
      // a restarted server sends it again, and another answer is too late
      control({ ...answer, decision: "deny", answers: undefined });
    });
  };
}

/** The displayed messages of a run. */
function decode({ lines }: FakeRun) {
  const decoder = createAcpDecoder({ executionId: "exe_1" as ExecutionId });
  return lines.flatMap((text, index) => decoder.decode({ text, offset: index * 1000, at: index }));
}

const answers = { Name: "core", Port: "3000", "Strict?": "No", Kind: "Application", Tags: ["a", "b"] };

describe("an agent that asks for a form", () => {
  it("[E10] is answered once, in the types of its schema, in every permission mode", async () => {
    const run = await driveFake(ask(form), { order: { permissionMode: "full" }, onLine: answerWith("allow", answers) });
    const content = { name: "core", port: 3000, strict: false, kind: "app", tags: ["a", "b"] };
    expect(listTexts(run)).toEqual([JSON.stringify({ action: "accept", content })]);
  });

  it("[E10, T7] is a question card with the answer, and an approval", async () => {
    const outputs = decode(await driveFake(ask(form), { onLine: answerWith("allow", answers) }));
    const use = outputs.find(({ type }) => type === "tool-use");
    expect(use).toMatchObject({
      toolName: "ask",
      input: {
        message: "How shall it be?",
        questions: [
          { question: "Name", type: "text", hint: "Of the new package", options: [], multiple: false },
          { question: "Port", type: "integer", optional: true, initial: ["8080"], minimum: 1, maximum: 65535 },
          { question: "ratio", type: "number", optional: true },
          { question: "Strict?", type: "boolean", options: [{ label: "Yes" }, { label: "No" }], initial: ["Yes"] },
          { question: "Kind", type: "choice", options: [{ label: "Library" }, { label: "Application", description: "with a main" }] },
          { question: "Tags", type: "choices", multiple: true, options: [{ label: "a" }, { label: "b" }], maxItems: 2 },
        ],
      },
    });
    const toolUseId = use?.type === "tool-use" ? use.toolUseId : "";
    expect(outputs.find(({ type }) => type === "approval-request")).toMatchObject({ toolUseId, toolName: "ask", requestId: '{"id":"q0"}' });
    expect(outputs.find(({ type }) => type === "tool-result")).toMatchObject({ toolUseId, isError: false, structured: { answers } });
  });

  it("[E10] that is skipped is declined, and so is one whose answer is invalid", async () => {
    const declined = JSON.stringify({ action: "decline" });
    const run = await driveFake(ask(form), { onLine: answerWith("deny") });
    expect(listTexts(run)).toEqual([declined]);
    expect(decode(run).find(({ type }) => type === "tool-result")).toMatchObject({ isError: true, state: "denied" });
    for (const wrong of [{ ...answers, Port: "http" }, { ...answers, Port: "70000" }, { ...answers, Kind: "x" }, { Name: "core" }]) {
      expect(listTexts(await driveFake(ask(form), { onLine: answerWith("allow", wrong) }))).toEqual([declined]);
    }
  });

  it("[E4, E10] that is stopped while it waits gets a cancel", async () => {
    const stop = new AbortController();
    const run = await driveFake(ask(form), { stop: stop.signal, onLine: (line) => line.includes("elicitation/create") && stop.abort() });
    expect(listTexts(run)).toEqual([JSON.stringify({ action: "cancel" })]);
    expect(run.records).toContainEqual({ type: "end", status: "cancelled" });
  });

  it("[E10] can ask before there is a session, as part of its login", async () => {
    const body = `on("session/new", async () => { const { result } = await ask("elicitation/create", { ...${JSON.stringify(form)}, sessionId: undefined, requestId: 1 }); return { sessionId: result.content.name }; });
      on("session/prompt", ({ sessionId }) => { sendText(sessionId); return { stopReason: "end_turn" }; });`;
    expect(listTexts(await driveFake(body, { onLine: answerWith("allow", answers) }))).toEqual(["core"]);
  });

  it("[E10] an unsupported form is declined at once, and nothing is shown", async () => {
    const odd = { type: "object", properties: { a: { type: "object" } } };
    for (const params of [
      { ...form, mode: "hologram" },
      { ...form, requestedSchema: odd },
      { mode: "url", message: "m", url: "javascript:alert(1)" },
    ]) {
      const run = await driveFake(ask(params));
      expect(listTexts(run)).toEqual(["-32602"]);
      expect(decode(run).filter(({ type }) => type === "approval-request")).toEqual([]);
    }
  });

  it("[E10] gets what is offered", async () => {
    const body = `on("initialize", ({ clientCapabilities }) => { sendText(JSON.stringify(clientCapabilities.elicitation)); return { protocolVersion: 1 }; });
      on("session/prompt", () => ({ stopReason: "end_turn" }));`;
    expect(listTexts(await driveFake(body))).toEqual(['{"form":{},"url":{}}']);
  });
});

describe("an agent that asks to open a page", () => {
  const page = {
    mode: "url",
    sessionId: "s1",
    elicitationId: "e1",
    message: "Sign in to Example",
    url: "https://example.com/login?code=1",
  };

  it("[E10] learns whether the user agreed; the address is shown as it is", async () => {
    const run = await driveFake(ask(page), { onLine: answerWith("allow", {}) });
    expect(listTexts(run)).toEqual([JSON.stringify({ action: "accept" })]);
    const use = decode(run).find(({ type }) => type === "tool-use");
    expect(use).toMatchObject({ input: { questions: [{ question: "Sign in to Example", type: "url", url: page.url }] } });
  });
});

describe("form questions", () => {
  it("[E10] fields or options with the same title are distinguished", () => {
    const same = { type: "string", title: "Same" };
    const twice = {
      type: "string",
      oneOf: [
        { const: "x", title: "T" },
        { const: "y", title: "T" },
      ],
    };
    const elicitation = readElicitation({ ...form, requestedSchema: { type: "object", properties: { a: same, b: same, c: twice } } });
    if (elicitation === undefined) throw new Error("not read");
    expect(toElicitationInput(elicitation)).toMatchObject({
      questions: [{ question: "Same (a)" }, { question: "Same (b)" }, { options: [{ label: "T (x)" }, { label: "T (y)" }] }],
    });
    expect(toElicitationAnswer(elicitation, "accept", { "Same (a)": "1", "Same (b)": "2", c: "T (y)" })).toEqual({
      action: "accept",
      content: { a: "1", b: "2", c: "y" },
    });
  });

  it("[E10] a form without fields asks for consent alone", () => {
    const elicitation = readElicitation({ ...form, requestedSchema: { type: "object", properties: {} } });
    if (elicitation === undefined) throw new Error("not read");
    expect(toElicitationInput(elicitation)).toEqual({
      questions: [{ question: "How shall it be?", options: [], multiple: false, type: "consent" }],
    });
    expect(toElicitationAnswer(elicitation, "accept")).toEqual({ action: "accept", content: {} });
  });
});
