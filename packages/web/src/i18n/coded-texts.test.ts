import { type CodedText, codedTextSchema, conversationMessageSchema } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { zhCN } from "./zh-cn.ts";

type JsonSchema = ReturnType<typeof codedTextSchema.toJSONSchema>;

/** A value that a text or a parameter can have: with optional parts or without, strings as `X$&1`. */
function toSample(schema: JsonSchema, isFull: boolean): unknown {
  if (schema.enum !== undefined) return schema.enum[isFull ? 0 : schema.enum.length - 1];
  if (schema.const !== undefined) return schema.const;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return toSample(alternatives[isFull ? alternatives.length - 1 : 0] as JsonSchema, isFull);
  switch (schema.type) {
    case "string":
      return "X$&1";
    case "integer":
    case "number":
      return isFull ? 3 : 1;
    case "boolean":
      return isFull;
    case "null":
      return null;
    case "array":
      return [toSample(schema.items as JsonSchema, isFull)];
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).filter(([name]) => isFull || schema.required?.includes(name));
      return Object.fromEntries(fields.map(([name, field]) => [name, toSample(field as JsonSchema, isFull)]));
    }
    default:
      throw new TypeError(`no sample for ${JSON.stringify(schema)}`);
  }
}

const { oneOf = [] } = codedTextSchema.toJSONSchema();
const samples = oneOf.flatMap((schema) =>
  [true, false].map((isFull): [string, CodedText] => {
    const text = codedTextSchema.parse(toSample(schema as JsonSchema, isFull));
    return [`${text.code}${isFull ? "" : " without what is optional"}`, text];
  }),
);

describe("coded texts", () => {
  it("[T8] are all tested", () => expect(samples.length).toBeGreaterThan(500));

  it.each(samples)("[T8] %s, in English and in Chinese", (_name, text) => {
    const english = formatText(text);
    expect(english).not.toMatch(/undefined|null|NaN|\[object| {2}| [.,:](?!\w)/);
    // as the server formats it, and sends it
    expect(en.coded(text, english)).toBe(english);
    const chinese = zhCN.coded(text, "stored");
    expect(chinese).not.toMatch(/undefined|null|NaN|\[object|stored| {2}/);
    // only parameters: what somebody else said
    if (/^(?:X\$&1[ .]*)+$/.test(english)) return;
    expect(chinese).not.toBe(english);
    expect(chinese).toMatch(/\p{Script=Han}/u);
    // a space between Chinese and Latin, full-width punctuation after Chinese
    expect(chinese.replaceAll("X$&1", "")).not.toMatch(
      /\p{Script=Han}[A-Za-z0-9$]|[A-Za-z0-9]\p{Script=Han}|\p{Script=Han}[,;:!?]|\p{Script=Han}\.(?!\p{L})/u,
    );
  });

  it("[T8] a code of a newer release, one without its parameters and none at all: the English text of the server", () => {
    const texts = [{ code: "of-tomorrow" }, { code: "toString" }, { code: "changed-elsewhere" }, undefined];
    for (const text of texts) expect(zhCN.coded(text as CodedText | undefined, "As the server wrote it.")).toBe("As the server wrote it.");
  });

  it("[T8] a message that an earlier release stored is shown as it is", () => {
    const stored = {
      id: "msg_1_end",
      role: "system",
      messageType: "notice",
      content: "The agent was ended by SIGKILL. Send a message to continue.",
      timestamp: 1,
      revision: 1,
      metadata: { executionId: "exe_1", code: "execution-interrupted" },
    };
    const message = conversationMessageSchema.parse(stored);
    expect(message).toEqual(stored);
    expect(message.messageType === "notice" && zhCN.coded(message.metadata?.text, message.content)).toBe(stored.content);
  });

  it("[T8] what a newer release stored is read, without the code that is not known here", () => {
    const base = { id: "msg_1", role: "system", messageType: "error", content: "New.", timestamp: 1, revision: 1 };
    const message = conversationMessageSchema.parse({ ...base, metadata: { code: "x", text: { code: "of-tomorrow", a: 1 } } });
    expect(message).toMatchObject({ content: "New.", metadata: { code: "x" } });
    expect(message.messageType === "error" && zhCN.coded(message.metadata?.text, message.content)).toBe("New.");
  });

  it.each<[CodedText, string, string]>([
    [
      { code: "agent-too-old", agent: "Claude Code", version: "1.0.1", least: "1.0.128", install: "claude update" },
      "Claude Code 1.0.1 is too old: Skein needs 1.0.128 or newer. Run: claude update",
      "Claude Code 1.0.1 版本过旧：Skein 需要 1.0.128 或更高版本。请运行：claude update",
    ],
    [
      { code: "login-rejected", agent: "Codex", said: "401 no", login: { command: "codex login" } },
      "Codex's login was not accepted (“401 no”). Run: codex login",
      "Codex 的登录未被接受（“401 no”）。请运行：codex login",
    ],
    [
      { code: "method-not-allowed", allowed: ["GET", "HEAD"] },
      "Method not allowed. Allowed: GET, HEAD.",
      "不允许使用此方法。允许：GET、HEAD。",
    ],
    [
      { code: "mcp-server-edited", server: "docs", names: ["a.sh", "b.sh"], more: 2 },
      "The MCP server “docs” was not started: files that it runs have changed since you trusted them (a.sh, b.sh and 2 more). The agent continues without it. Review the changes in the project's settings.",
      "MCP 服务器“docs”未启动：它运行的文件在你信任之后有改动（a.sh、b.sh 等 4 个）。智能体将在没有它的情况下继续。请在项目设置中查看改动。",
    ],
    [
      { code: "agent-not-available", agent: "Codex", hint: { code: "agent-turned-off", agent: "Codex" } },
      "Codex cannot be started here. Codex is turned off. Turn it on in Settings → Agents.",
      "Codex 无法在此启动。Codex 已停用。可在“设置 → 智能体”中启用。",
    ],
  ])("[T8] %j", (text, english, chinese) => {
    expect(formatText(text)).toBe(english);
    expect(zhCN.coded(text, "")).toBe(chinese);
  });
});
