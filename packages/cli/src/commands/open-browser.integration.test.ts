import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { skeinProgram } from "../testing/skein-program.ts";
import { createSandbox } from "../testing/spawn-skein.ts";

const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** A fake browser opener: records its arguments and those of every process of the machine, as any user can. */
const fakeOpener = `#!/bin/sh
{ printf '%s\\n' "$@"; } > "$RECORDS/arguments.part"
for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < "$file" 2>/dev/null; echo; done > "$RECORDS/processes"
cat "$(printf '%s' "$1" | sed 's,^file://,,')" > "$RECORDS/page" 2>/dev/null
mv "$RECORDS/arguments.part" "$RECORDS/arguments"
`;

describe.runIf(hasTerminals)("opening a browser", () => {
  it("[X18] no process has the launch link in its arguments, with serve, a second serve and open; the file is 0600 and is deleted with the server", async () => {
    await using sandbox = createSandbox();
    const root = path.dirname(sandbox.home);
    const bin = path.join(root, "bin");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "xdg-open"), fakeOpener);
    chmodSync(path.join(bin, "xdg-open"), 0o755);

    /** Runs a command in a terminal, as a user does; resolves with what the browser opener saw. */
    async function run(...args: string[]) {
      const records = path.join(root, `records-${args[0]}-${readdirSync(root).length}`);
      mkdirSync(records);
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: root, SKEIN_HOME: sandbox.home, DISPLAY: ":0", RECORDS: records };
      const command = [process.execPath, skeinProgram, ...args].map((part) => `'${part}'`).join(" ");
      const child = spawn("script", ["-qfec", command, "/dev/null"], { env, cwd: root, stdio: ["pipe", "pipe", "pipe"] });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
      const read = (name: string) => readFileSync(path.join(records, name), "utf8");
      await vi.waitUntil(() => existsSync(path.join(records, "arguments")) && /launch#skl_/.test(output), { timeout: 20_000 });
      return { child, output, opened: read("arguments").trim(), processes: read("processes"), page: read("page") };
    }

    const server = await run("serve", "--port", "0");
    const seen = [server, await run("serve", "--port", "0"), await run("open")];
    for (const { output, opened, processes, page } of seen) {
      const file = fileURLToPath(opened);
      expect(path.dirname(file)).toBe(path.join(sandbox.home, "run"));
      expect(processes).toContain(opened);
      expect(processes).not.toContain("skl_");
      expect(page).toMatch(/\/launch#skl_[\w-]{43}/);
      // the printed link is a different one: it still works after the browser was opened
      expect(page).not.toContain(/launch#(skl_[\w-]{43})/.exec(output)?.[1]);
    }
    expect(readdirSync(path.join(sandbox.home, "run"))).toHaveLength(3);
    server.child.stdin.write("\x03");
    await new Promise((resolve) => server.child.on("close", resolve));
    expect(readdirSync(path.join(sandbox.home, "run"))).toEqual([]);
  });
});
