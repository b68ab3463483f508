import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerWith, driveFake, listTexts, newDirectory, question } from "./fake-agent.fixture.ts";

describe("files", () => {
  const tryAll = (requests: string[]) =>
    `on("session/prompt", async () => { for (const [method, params] of [${requests.join(",")}]) { const { result, error } = await ask(method, params); sendText(error === undefined ? JSON.stringify(result) : "refused " + error.code); } return { stopReason: "end_turn" }; });`;

  it("[X10] are read and written only inside the working folder, by their real path", async () => {
    const directory = newDirectory();
    const outside = newDirectory();
    writeFileSync(join(outside, "secret.txt"), "secret");
    mkdirSync(join(directory, ".git"));
    symlinkSync(outside, join(directory, "link"));
    writeFileSync(join(directory, "a.txt"), "one\ntwo\nthree\n");
    const read = (path: string, more = "") => `["fs/read_text_file", { path: ${JSON.stringify(path)} ${more} }]`;
    const write = (path: string) => `["fs/write_text_file", { path: ${JSON.stringify(path)}, content: "new" }]`;
    const run = await driveFake(
      tryAll([
        read(join(directory, "a.txt")),
        read(join(directory, "a.txt"), ", line: 2, limit: 1"),
        read(join(outside, "secret.txt")),
        read(join(directory, "link/secret.txt")),
        read(join(directory, "missing.txt")),
        write(join(directory, "made/b.txt")),
        write(join(directory, "link/secret.txt")),
        write(`${directory}-evil/x.txt`),
        write(join(directory, ".git/config")),
        write(join(directory, ".gemini/settings.json")),
      ]),
      { directory },
    );
    expect(listTexts(run)).toEqual([
      '{"content":"one\\ntwo\\nthree\\n"}',
      '{"content":"two\\n"}',
      "refused -32602",
      "refused -32602",
      "refused -32002",
      "{}",
      "refused -32602",
      "refused -32602",
      "refused -32602",
      "refused -32602",
    ]);
    expect(readFileSync(join(directory, "made/b.txt"), "utf8")).toBe("new");
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(directory, ".git/config"))).toBe(false);
  });

  it("[X10] a protected file is written once the user has agreed to its change, and once only", async () => {
    const directory = newDirectory();
    const write = (path: string, content: string) =>
      `sendText(JSON.stringify((await ask("fs/write_text_file", { path: ${JSON.stringify(join(directory, path))}, content: "${content}" })).error?.code ?? "written"));`;
    const body = `on("session/prompt", async () => { ${write(".envrc", "0")} await ${question("c1", "edit", ', locations: [{ path: ".envrc" }]')}; ${write(".husky/pre-commit", "1")} ${write(".envrc", "2")} ${write(".envrc", "3")} return { stopReason: "end_turn" }; });`;
    const allowed = await driveFake(body, { directory, onLine: answerWith("allow") });
    expect(listTexts(allowed)).toEqual(["-32602", "-32602", '"written"', "-32602"]);
    expect(readFileSync(join(directory, ".envrc"), "utf8")).toBe("2");
    expect(listTexts(await driveFake(body, { directory, onLine: answerWith("deny") }))).not.toContain('"written"');
  });

  it("[X10] approval of a change to an ordinary file does not cover a link that replaces it", async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "a.txt"), "");
    mkdirSync(join(directory, ".git"));
    const swap = `const fs = await import("node:fs"); fs.rmSync("a.txt"); fs.symlinkSync(".git/config", "a.txt");`;
    const body = `on("session/prompt", async () => { await ${question("c1", "edit", ', locations: [{ path: "a.txt" }]')}; ${swap} sendText(String((await ask("fs/write_text_file", { path: ${JSON.stringify(join(directory, "a.txt"))}, content: "x" })).error?.code)); return { stopReason: "end_turn" }; });`;
    expect(listTexts(await driveFake(body, { directory, onLine: answerWith("allow") }))).toEqual(["-32602"]);
    expect(existsSync(join(directory, ".git/config"))).toBe(false);
  });

  it("what was not offered is refused as unknown", async () => {
    const files = { read: false, write: false };
    const body = tryAll(['["fs/read_text_file", { path: "/x" }]', '["fs/write_text_file", { path: "/x", content: "" }]']);
    expect(listTexts(await driveFake(body, { options: { files } }))).toEqual(["refused -32601", "refused -32601"]);
  });
});

describe("terminals", () => {
  it("[T7, Q6] run in the folder, stream into their call, and end with the execution", async () => {
    const run = await driveFake(`
      on("session/prompt", async () => {
        const start = (command) => ask("terminal/create", { command: "/bin/sh", args: ["-c", command] });
        const { result: { terminalId } } = await start("echo one; echo two >&2; pwd; exit 3");
        update({ sessionUpdate: "tool_call", toolCallId: "c1", kind: "execute", title: "x", status: "in_progress", content: [{ type: "terminal", terminalId }] });
        sendText(JSON.stringify((await ask("terminal/wait_for_exit", { terminalId })).result));
        sendText(JSON.stringify((await ask("terminal/output", { terminalId })).result));
        await ask("terminal/release", { terminalId });
        sendText(String((await ask("terminal/output", { terminalId })).error.code));
        const sleeping = (await start("echo $$; exec sleep 300")).result.terminalId;
        let pid = "";
        while (pid === "") pid = (await ask("terminal/output", { terminalId: sleeping })).result.output.trim();
        sendText(pid);
        sendText(String((await ask("terminal/create", { command: "/bin/true", cwd: "/" })).error.code));
        return { stopReason: "end_turn" };
      });`);
    const [exit, output, released, pid, elsewhere] = listTexts(run);
    expect(JSON.parse(exit ?? "")).toEqual({ exitCode: 3, signal: null });
    const whole = `one\ntwo\n${run.directory}\n`;
    expect(
      JSON.parse(output ?? "")
        .output.split("\n")
        .toSorted(),
    ).toEqual(whole.split("\n").toSorted());
    expect([released, elsewhere]).toEqual(["-32002", "-32602"]);
    const shown = run.lines.filter((line) => line.includes("terminal_output_delta") || line.includes("terminal_exit")).join("");
    expect(shown).toContain("one");
    expect(shown).toContain('"exit_code":3');
    await expect.poll(() => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "").toBe(false);
  });
});
