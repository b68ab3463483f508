import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attemptExportSchema, redactionPreviewSchema } from "@skein/contracts";
import { beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../testing/spawn-skein.ts";

// Written in two parts, so that no scanner of repositories takes them for real ones.
const githubToken = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const providerKey = `sk-ant-api03-${"x9Y8z7W6v5U4".repeat(5)}`;
const variable = "correct-horse-battery";
const password = "tr0ub4dor";
const pem = [
  "-----BEGIN PRIVATE KEY-----",
  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
  "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
  "-----END PRIVATE KEY-----",
];
const secrets = [githubToken, providerKey, variable, password, ...pem.slice(1, 3)];

let sandbox: Sandbox;
let id: string;

const skein = (...args: string[]) => sandbox.skein(args, { environment: { DEPLOY_SECRET: variable } }).ended;
const exported = async (...args: string[]) => {
  const { code, stdout, stderr } = await skein("export", id, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};

/** An attempt that has secrets in its title, messages, thoughts, tool inputs, outputs and changed files. */
beforeAll(async () => {
  sandbox = createSandbox();
  const server = sandbox.skein(["serve", "--port", "0"], { environment: { DEPLOY_SECRET: variable } });
  await server.printed(/is ready/);
  const file = `TOKEN=${githubToken}\n${pem.join("\n")}\nurl = postgres://app:${password}@db/app\nhome = ${path.dirname(sandbox.home)}/x\n`;
  const steps = [
    { reasoning: `The secret is ${variable}.`, toolCalls: [{ name: "write", arguments: { path: "settings.env", content: file } }] },
    { toolCalls: [{ name: "bash", arguments: { command: `echo "Authorization: Bearer ${providerKey}" && cat settings.env` } }] },
    { text: `Done, with ${githubToken}. The customer is Initech.` },
  ];
  const message = `Use ${githubToken} in <script>alert(1)</script> </script>`;
  const args = ["--repo", sandbox.repository, "--permission-mode", "full", "--model", sandbox.script(steps)];
  const { code, stdout } = await skein("run", message, ...args);
  expect(code).toBe(0);
  id = /skein diff (\S+)/.exec(stdout)?.[1] ?? "";
  return () => sandbox[Symbol.asyncDispose]();
}, 180_000);

describe("skein export", () => {
  it.each(["json", "markdown", "html"])("[I4] %s has the conversation and the changes, and no secret", async (format) => {
    const text = await exported("--format", format);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toContain(`${path.dirname(sandbox.home)}/x`);
    for (const part of ["The customer is Initech.", "settings.env", "[redacted: github-token]", "[redacted: private-key]"])
      expect(text).toContain(part);
  });

  it("[I4] JSON has a versioned schema, in which redaction leaves everything readable", async () => {
    const { task, attempt, changes, messages, conversation, redaction, executions } = attemptExportSchema.parse(
      JSON.parse(await exported()),
    );
    expect([task.activeAttemptId, executions.length]).toEqual([attempt.id, 1]);
    expect(changes?.files.map(({ filePath, additions }) => ({ filePath, additions }))).toEqual([
      { filePath: "settings.env", additions: 7 },
    ]);
    expect(changes?.files[0]?.hunks[0]?.lines.every((line) => line.startsWith("+"))).toBe(true);
    expect(messages?.map(({ body }) => (body as { role: string }).role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(conversation.map(({ messageType }) => messageType)).toEqual(["text", "thinking", "tool_execution", "tool_execution", "text"]);
    const kinds = redaction?.redacted.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["environment-secret", "github-token", "home-path", "private-key", "connection-string"]));
    // what a tool was called with is JSON inside of JSON
    const calls = messages?.flatMap(({ body }) => (body as { toolCalls?: { function: { arguments: string } }[] }).toolCalls ?? []);
    for (const call of calls ?? []) expect(JSON.parse(call.function.arguments)).toBeTypeOf("object");
  });

  it("[I4] --no-redact exports everything, --without leaves parts out", async () => {
    const whole = attemptExportSchema.parse(JSON.parse(await exported("--no-redact")));
    const text = JSON.stringify(whole);
    expect(secrets.filter((secret) => !text.includes(secret))).toEqual([]);
    expect(whole.redaction).toBeNull();
    const less = attemptExportSchema.parse(
      JSON.parse(await exported("--without", "thinking", "--without", "messages", "--without", "changes")),
    );
    expect({ changes: less.changes, messages: less.messages }).toEqual({ changes: null, messages: undefined });
    expect(less.conversation.some(({ messageType }) => messageType === "thinking")).toBe(false);
  });

  it("[I4] what was exported can be imported, once", async () => {
    const file = path.join(sandbox.home, "attempt.json");
    expect((await skein("export", id, "--out", file)).code).toBe(0);
    const first = await skein("import", file, "--repo", sandbox.repository);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const [, taskId = ""] = /Imported as (tsk_\w+)\./.exec(first.stdout) ?? [];
    expect((await skein("show", taskId)).stdout).toContain("The customer is Initech.");
    expect((await skein("import", file, "--repo", sandbox.repository)).stdout).toContain(`It was imported before as ${taskId}.`);
    writeFileSync(file, "{}");
    const refused = await skein("import", file, "--repo", sandbox.repository);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("This file is not an exported attempt.");
    expect(await skein("import", "no-file.json", "--repo", sandbox.repository)).toMatchObject({ code: 2 });
    expect(await skein("import", "cursor")).toMatchObject({ code: 2, stderr: expect.stringContaining("attempt.json") });
  });

  it("[I4] --preview lists what is redacted, masked; a finding can be kept, and words added", async () => {
    const preview = redactionPreviewSchema.parse(JSON.parse(await exported("--preview", "--json", "--word", "initech")));
    const text = JSON.stringify(preview);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const find = (kind: string) => preview.findings.find((finding) => finding.kind === kind);
    expect(find("environment-secret")).toMatchObject({ name: "DEPLOY_SECRET", masked: "corr••••••" });
    expect(find("own-word")).toMatchObject({ masked: "Initech", count: 2, replacement: "[redacted: own-word]" });
    const token = find("github-token");
    expect(token?.places[0]).toMatchObject({ before: expect.stringMatching(/Use $/) });
    expect(new Set(token?.places.map(({ part }) => part))).toContain("task");

    const kept = await exported("--keep", token?.id ?? "", "--word", "initech");
    expect(kept).toContain(githubToken);
    expect([kept.includes(providerKey), kept.includes("Initech")]).toEqual([false, false]);
    expect(attemptExportSchema.parse(JSON.parse(kept)).redaction?.kept).toBe(1);
    expect(await exported("--preview")).toMatch(/^ID +KIND +VALUE +COUNT +FIRST PLACE\n[\s\S]*DEPLOY_SECRET corr••••••/);
  });

  it("[I4] --out writes a file that only its owner can read, and leaves nothing if it cannot be written", async () => {
    const out = path.join(path.dirname(sandbox.home), "attempt.html");
    const { code, stderr } = await skein("export", id, "--format", "html", "--out", out);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Wrote ${out}.\n` });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const page = readFileSync(out, "utf8");
    expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    // of the title and the data, nothing can be a tag
    expect(page).toContain("<title>Use [redacted: github-token] in &lt;script&gt;");
    expect(page.match(/<script>alert/g)).toBeNull();
    const nowhere = path.join(path.dirname(sandbox.home), "missing", "attempt.html");
    expect(await skein("export", id, "--out", nowhere)).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be written") });
    expect(await skein("export", id, "--preview", "--no-redact")).toMatchObject({ code: 2 });
  });
});
