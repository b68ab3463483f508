import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonValue, MessageId, PermissionGrant } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import { describe, expect, it, vi } from "vitest";
import { createTestContext } from "../driver/driver-context.fixture.ts";
import type { DriverControl } from "../driver/driver-control.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import { driveClaudeCode } from "./drive-claude-code.ts";

const program = fileURLToPath(new URL("./scripted-claude-program.fixture.ts", import.meta.url));
const begin = { type: "system", subtype: "init", session_id: "s", claude_code_version: "2.1.325" };
const result = { type: "result", subtype: "success", is_error: false, result: "ok" };
const ask = (id: string, more: object = {}) => ({
  type: "control_request",
  request_id: `r-${id}`,
  request: { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: id, input: { command: "ls" }, ...more },
});

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "skein-drive-"));
}

function drive(steps: object[], change: Partial<DriverOrder> = {}) {
  const heardFile = join(newFolder(), "heard");
  const stopping = new AbortController();
  const { context, log, records, control } = createTestContext(
    {
      driver: "claude-code",
      name: "Claude Code",
      command: [process.execPath, program, heardFile, JSON.stringify(steps)],
      directory: newFolder(),
      ...change,
    },
    { stop: stopping.signal },
  );
  const exitCode = driveClaudeCode(context);
  const logged = (): string[] => log.map(String);
  const heard = (): { [key: string]: JsonValue }[] =>
    existsSync(heardFile)
      ? readFileSync(heardFile, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
      : [];
  const until = (part: string): Promise<void> => vi.waitFor(() => expect(logged().join("\n")).toContain(part), { timeout: 20_000 });
  return { exitCode, logged, records, heard, until, send: control, stop: () => stopping.abort() };
}

function approve(toolUseId: string, requestId: string): DriverControl {
  const rest = { toolName: "Bash", input: null, reason: null, grant: undefined, answers: undefined } as const;
  return { type: "approval", toolUseId, requestId, decision: "allow", ...rest };
}

describe("driving Claude Code", () => {
  it("[X7] the message is sent by stdin, after its images, with the instructions of an untrusted repository", async () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
    const directory = newFolder();
    writeFileSync(join(directory, "AGENTS.md"), "Be brief.");
    const run = drive([{ hear: "control_request" }, { hear: "user" }, begin, result], { directory, message: "--help", images: [image] });
    expect(await run.exitCode).toBe(0);
    const [hello, message] = run.heard();
    expect(hello).toMatchObject({ request: { subtype: "initialize", appendSystemPrompt: expect.stringContaining("Be brief.") } });
    expect(message).toMatchObject({
      message: {
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "text", text: "--help" },
        ],
      },
    });
    expect(run.logged().map((line) => JSON.parse(line))).toEqual([begin, result]);
  });

  it.each([true, false])("[R5] the user's own prompts come first, in a repository that is trusted (%s)", async (trustsRepository) => {
    const directory = newFolder();
    writeFileSync(join(directory, "AGENTS.md"), "Be brief.");
    const order = { directory, trustsRepository, systemPrompts: ["--dangerous is a word.", "Use tabs."] };
    const run = drive([{ hear: "control_request" }, { hear: "user" }, begin, result], order);
    expect(await run.exitCode).toBe(0);
    const own = "--dangerous is a word.\n\nUse tabs.";
    const all = `${own}\n\nInstructions of this project (AGENTS.md):\nBe brief.`;
    expect(run.heard()[0]).toMatchObject({ request: { appendSystemPrompt: trustsRepository ? own : all } });
  });

  it("[E10] a duplicate answer is sent once, and an answer to another question not at all", async () => {
    const run = drive([{ hear: "user" }, begin, ask("a"), { hear: "control_response" }, result]);
    await run.until("r-a");
    run.send(approve("b", "r-b"));
    run.send(approve("a", "r-old"));
    run.send(approve("a", "r-a"));
    run.send(approve("a", "r-a"));
    await run.exitCode;
    expect(run.heard().filter(({ type }) => type === "control_response")).toEqual([
      {
        type: "control_response",
        response: { subtype: "success", request_id: "r-a", response: { behavior: "allow", updatedInput: { command: "ls" } } },
      },
    ]);
  });

  it("[E10, X17] what was allowed permanently is answered by Skein, and Claude Code is given no rule of its own", async () => {
    const answered = { hear: "control_response" };
    const command = (id: string, text: string) => [ask(id, { input: { command: text } }), answered];
    const steps = [
      ...command("a", "npm test"),
      ...command("b", "npm test"),
      ...command("c", "ls -a"),
      ...command("d", "npm test --script-shell=./x"),
      ...command("e", "ls .."),
      ask("f", { tool_name: "Write", input: { file_path: "new.txt", content: "" } }),
      answered,
      ask("g", { tool_name: "Write", input: { file_path: ".claude/settings.json", content: "" } }),
      answered,
    ];
    const grants: PermissionGrant[] = [
      { type: "read-only-command", tool: "Bash", program: "ls" },
      { type: "edits", tool: "Edit" },
    ];
    const run = drive([{ hear: "user" }, begin, ...steps, result], { grants });
    await run.until("r-a");
    const npmTest = { type: "command", tool: "Bash", command: "npm test" } as const;
    run.send({ ...approve("a", "r-a"), decision: "allow-always", grant: npmTest } as DriverControl);
    for (const id of ["d", "e", "g"]) {
      await run.until(`r-${id}`);
      run.send({ ...approve(id, `r-${id}`), decision: "deny" } as DriverControl);
    }
    await run.exitCode;
    const asked = run.logged().flatMap((line) => /"control_request".*"request_id":"r-(.)"/.exec(line)?.[1] ?? []);
    expect(asked).toEqual(["a", "d", "e", "g"]);
    const answers = run.heard().filter(({ type }) => type === "control_response");
    expect(answers.map(({ response }) => stringField(objectField(response, "response"), "behavior"))).toEqual([
      "allow",
      "allow",
      "allow",
      "deny",
      "deny",
      "allow",
      "deny",
    ]);
    expect(JSON.stringify(answers)).not.toContain("updatedPermissions");
  });

  it("[E10] a question that was withdrawn is not answered", async () => {
    const run = drive([
      { hear: "user" },
      begin,
      ask("a"),
      { type: "control_cancel_request", request_id: "r-a" },
      ask("b"),
      { hear: "control_response" },
      result,
    ]);
    await run.until("r-b");
    run.send(approve("a", "r-a"));
    run.send(approve("b", "r-b"));
    await run.exitCode;
    expect(run.heard().filter(({ type }) => type === "control_response")).toMatchObject([{ response: { request_id: "r-b" } }]);
  });

  it("[N3, X10] mode full answers automatically, without a record, except for what only the user can answer", async () => {
    const safety = ask("b", { decision_reason_type: "safetyCheck" });
    const question = ask("c", { tool_name: "AskUserQuestion" });
    const steps = [{ hear: "user" }, begin, ask("a"), { hear: "control_response" }, safety, question, { hear: "control_response" }, result];
    const run = drive(steps, { permissionMode: "full" });
    await run.until("r-c");
    run.send(approve("b", "r-b"));
    await run.exitCode;
    expect(run.logged().join("\n")).not.toContain("r-a");
    expect(run.heard().filter(({ type }) => type === "control_response")).toMatchObject([
      { response: { request_id: "r-a" } },
      { response: { request_id: "r-b" } },
    ]);
  });

  it("[Q13] an unknown request is rejected, so that it does not wait forever; invalid lines go to the log", async () => {
    const unknown = { type: "control_request", request_id: "r-x", request: { subtype: "hologram" } };
    const broken = '{"type":"result"';
    const run = drive([{ hear: "user" }, begin, { print: broken }, { print: "[1,2]" }, unknown, { hear: "control_response" }, result]);
    expect(await run.exitCode).toBe(0);
    expect(run.logged()).toContain(broken);
    expect(run.heard().at(-1)).toMatchObject({ response: { subtype: "error", request_id: "r-x" } });
  });

  it("[E4] a steering message is taken once it has been read, exactly once; an old version is not sent one", async () => {
    const message = { type: "message", id: "msg_1" as MessageId, text: "also this", images: [] } as const;
    const run = drive([{ hear: "user" }, begin, ask("a"), { hear: "control_response" }, { hear: "user", echo: true }, result]);
    await run.until("r-a");
    run.send(message);
    run.send(message);
    await vi.waitFor(() => expect(run.heard().filter(({ type }) => type === "user")).toHaveLength(2), { timeout: 20_000 });
    expect(run.records).toEqual([]);
    run.send(approve("a", "r-a"));
    expect(await run.exitCode).toBe(0);
    expect(run.records).toEqual([{ type: "user-message", messageId: "msg_1", text: "also this" }]);
    expect(run.heard().filter(({ type }) => type === "user")).toHaveLength(2);

    const old = drive([{ hear: "user" }, { ...begin, claude_code_version: "2.0.77" }, ask("a"), { hear: "control_response" }, result]);
    await old.until("r-a");
    old.send(message);
    old.send(approve("a", "r-a"));
    expect(await old.exitCode).toBe(0);
    expect(old.heard().filter(({ type }) => type === "user")).toHaveLength(1);
    expect(old.records).toEqual([]);
  });

  it("[E3] a new session gets the conversation so far, and a resumed one does not", async () => {
    const seeded = drive([{ hear: "user" }, begin, result], { transcript: "SAID BEFORE" });
    await seeded.exitCode;
    expect(JSON.stringify(seeded.heard())).toContain("SAID BEFORE");

    const resumed = drive([{ hear: "user" }, begin, result], { transcript: "SAID BEFORE", sessionId: "s" });
    await resumed.exitCode;
    expect(JSON.stringify(resumed.heard())).not.toContain("SAID BEFORE");
  });

  it("[E5] one that ends without a result has failed; one that does not start is reported with what to do", async () => {
    const silent = drive([{ hear: "user" }, begin, { exit: 0 }]);
    expect(await silent.exitCode).toBe(0);
    expect(silent.records).toMatchObject([{ type: "end", status: "failed", reason: { code: "ended-without-result" } }]);

    const missing = drive([], { command: ["/nowhere/claude"] });
    expect(await missing.exitCode).toBe(127);
    expect(missing.records).toMatchObject([
      { type: "end", status: "failed", reason: { code: "program-missing", program: "/nowhere/claude" } },
    ]);
  });

  it("[E5] settings that change during a turn are sent, each once", async () => {
    const run = drive([{ hear: "user" }, begin, ask("a"), { hear: "control_response" }, result]);
    await run.until("r-a");
    run.send({ type: "settings", model: "opus", permissionMode: "accept-edits" });
    run.send({ type: "settings", model: "opus", permissionMode: "full" });
    run.send({ type: "settings", model: null, permissionMode: "full" });
    run.send(approve("a", "r-a"));
    await run.exitCode;
    expect(
      run
        .heard()
        .flatMap(({ request }) => (request === undefined ? [] : [request]))
        .slice(1),
    ).toEqual([
      { subtype: "set_permission_mode", mode: "acceptEdits" },
      { subtype: "set_model", model: "opus" },
      { subtype: "set_model", model: "default" },
    ]);
  });

  it("[Q6] a stop interrupts it, and kills it if it does not respond", async () => {
    const run = drive([{ hear: "user" }, begin, { hang: true }]);
    await run.until("init");
    run.stop();
    expect(await run.exitCode).toBe(143);
    expect(run.heard().at(-1)).toMatchObject({ request: { subtype: "interrupt" } });
  });

  it.each([
    ["goes back to before it", undefined, 1],
    ["no longer has that point, and continues at its end", "No message found with message.uuid of: 3f1f9df0", 2],
  ])("[E2] a session whose last message is sent again %s", async (_what, error, runs) => {
    const failed = { type: "result", subtype: "error_during_execution", is_error: true, errors: [error] };
    const steps = error === undefined ? [begin, result] : [failed, { exit: 1 }];
    const run = drive([{ hear: "user" }, ...steps], { sessionId: "s", resumeAt: "3f1f9df0-6c5c-4c38-9f5a-0d9a5d3a4a11" });
    await run.exitCode;
    expect(run.heard().filter(({ type }) => type === "user")).toHaveLength(runs);
  });
});
