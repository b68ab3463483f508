import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { coversCommand } from "./command-grants.ts";
import { readOnlyPrograms } from "./read-only-programs.ts";
import { createWorktreeFixture } from "./worktree.fixture.ts";

const isLong = process.env.SKEIN_TEST_LONG === "1";
const names = Object.keys(readOnlyPrograms);
const grants = names.map((program) => ({ type: "read-only-command", tool: "bash", program }) as const);
const options = [...new Set(Object.values(readOnlyPrograms).flatMap((program) => Object.keys(program.options)))];
const words =
  "a.txt src src/b.ts . leak src/leak away away/token nowhere ../token - -- -n e 1,2p $p secret HEAD HEAD:a.txt :/x HEAD~0 '*' * [a]* '-o' --output=pwned -opwned -exec {} + touch pwned 'a b' \"-i\" \\-i ~ $HOME `id` $(id) a.txt;id | && || ; >pwned >/dev/null 2>&1 <leak 'w pwned' -f -0 5 -5 +1 ! ( ) =id {a,b} # --no-index --ext-diff ./leak a.txt/../leak //etc/hostname".split(
    " ",
  );
/** Names that a program, or a shell pattern, could interpret as an option. */
const misleading = ["-n", "--output=pwned", "-exec", "--pre=touch", "-f", "e"];

test("[X17] what a grant for a program allows, run for real, neither shows what is outside nor changes anything", {
  timeout: 3_600_000,
}, () => {
  const { directory, token } = createWorktreeFixture();
  writeFileSync(token, "TOPSECRET4711\n");
  for (const name of misleading) writeFileSync(join(directory, name), "1e touch pwned\n");
  rmSync(join(directory, ".git"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@x.invalid", ...args], { cwd: directory });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "files");
  const outside = dirname(directory);
  const list = "find . -path ./worktree/.git -prune -o -printf '%p %y %m %s %l\\n' | sort";
  const look = () => execFileSync("sh", ["-c", list], { cwd: outside, encoding: "utf8" });
  const before = look();

  const random = createRandom(Number(process.env.SKEIN_TEST_SEED ?? 4711));
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const build = (): string => {
    const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random() < 0.45 ? options : words));
    const next = random() < 0.15 ? [pick(["|", "&&", ";", "||"]), pick(names), pick(words)] : [];
    return [pick(names), ...parts, ...next].join(" ");
  };
  const wanted = isLong ? 3000 : 60;
  const env = { PATH: process.env.PATH ?? "", HOME: outside, GIT_OPTIONAL_LOCKS: "0" };
  for (let ran = 0; ran < wanted; ) {
    const command = build();
    if (!coversCommand(grants, command, { directory })) continue;
    ran += 1;
    const { stdout, stderr } = spawnSync("/bin/bash", ["-c", command], {
      cwd: directory,
      env,
      input: "",
      timeout: 20_000,
      encoding: "latin1",
    });
    expect(`${stdout}${stderr}`, command).not.toContain("TOPSECRET4711");
    if (ran % 20 === 0) expect(look(), `one of the 20 up to ${command}`).toBe(before);
  }
  expect(look()).toBe(before);
});

/** The same commands in each run, so that a failure can be reproduced. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
