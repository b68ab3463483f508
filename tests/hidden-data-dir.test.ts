import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttemptDiff } from "@skein/contracts";
import { expect, test } from "vitest";
import { openAgentTask } from "./support/agent-task.ts";
import { newFolder } from "./support/repository.ts";
import { canMountDisks } from "./support/small-disk.ts";

/** Like a sandbox: instead of the data dir, the agent sees a folder with only its own worktree in it. */
const hide = `
here="$PWD"
home="$(cd ../.. && pwd)"
hold="$(mktemp -d)"
mount --bind "$here" "$hold"
mount -t tmpfs tmpfs "$home"
mkdir -p "$here"
mount --bind "$hold" "$here"
cd "$here"
`;

// the layout must allow it: secrets and sockets are in other folders than what an agent needs
test.runIf(canMountDisks)("[X3, X15] an agent that sees only its worktree in the data dir can do all of its work", async () => {
  const folder = newFolder("program");
  const inside = join(folder, "inside");
  const work = [
    "set -e",
    "cat > message.txt",
    "echo changed >> README.md",
    "git -c user.name=Agent -c user.email=agent@example.invalid commit --quiet --all --message work",
    'echo "sees $(ls -A "$home" | tr "\\n" " ")"',
    'for name in token run runner-secret sessions.json skein.db; do [ ! -e "$home/$name" ] || echo "reached $name"; done',
    'env | grep -i token || echo "no token in the environment"',
    "echo finished",
  ];
  writeFileSync(inside, `#!/bin/sh\n${hide}${work.join("\n")}\n`);
  const program = join(folder, "agent");
  writeFileSync(program, `#!/bin/sh\nexec unshare --mount --propagation private '${inside}'\n`);
  for (const path of [inside, program]) chmodSync(path, 0o755);
  const task = await openAgentTask({
    config: { agents: { "command:hidden": { command: [program] } } },
    attempt: { agent: "command:hidden" },
  });

  expect(await task.run("write this down")).toMatchObject({ status: "success" });
  const said = (await task.conversation()).map(({ content }) => content).join("\n");
  expect(said).toContain("sees worktrees \n");
  expect(said).not.toContain("reached");
  expect(said).toContain("no token in the environment");
  expect(said).toContain("finished");
  const { files } = await task.server.api.request<AttemptDiff>("GET", `/api/attempts/${task.attempt.id}/diff`);
  expect(files.map(({ filePath }) => filePath).toSorted()).toEqual(["README.md", "message.txt"]);
});
