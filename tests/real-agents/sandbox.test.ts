import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasSandbox, newPlaceFolder } from "../../packages/agents/src/sandbox/sandbox.fixture.ts";
import { isLong } from "../support/long.ts";
import { newRepository } from "../support/repository.ts";
import { cliFolder, findTools } from "./acp-scenarios.ts";
import { mainAgents } from "./agents/main-agents.ts";
import { openTestedAgent } from "./agents/open-agents.ts";

/** In a checkout below a temporary folder, the programs of agents do not exist in a sandbox. */
const areProgramsHidden = ["/tmp/", "/var/tmp/", "/run/"].some((folder) => cliFolder.startsWith(folder));

describe.skipIf(!hasSandbox || areProgramsHidden)("in a sandbox", () => {
  const { native, claudeCode } = mainAgents;
  test.for(isLong ? Object.values(mainAgents) : [native, claudeCode])(
    "[L7] [X20] $id reaches its model, works, resumes its session, and gets out nowhere",
    async (agent) => {
      const task = await openTestedAgent(agent, { sandbox: "workspace", repository: newRepository("repo", newPlaceFolder()) });
      const { directory } = task.attempt;
      const { home, url } = task.server;
      const tries = [
        `echo x > ${task.repository}/new`,
        `cat ${home}/token`,
        `(: > /dev/tcp/127.0.0.1/${new URL(url).port})`,
        "(: > /dev/tcp/1.1.1.1/443)",
        "git config user.name changed",
      ];
      const script = `${tries.map((command, number) => `( ${command} ) >/dev/null 2>&1 && echo ESCAPED ${number}`).join("; ")}; echo made > made.txt; git status --short`;
      task.script({ toolCalls: [agent.run(`bash -c '${script}'`)] }, { text: "Heron." });
      const first = await task.run("Remember heron");
      const conversation = await task.conversation();
      expect({ status: first.status, conversation: JSON.stringify(conversation) }).toMatchObject({ status: "success" });
      const outputs = findTools(conversation)
        .map(({ metadata }) => String(metadata.output))
        .join("\n");
      expect(outputs).not.toContain("ESCAPED");
      expect(readFileSync(join(directory, "made.txt"), "utf8")).toBe("made\n");
      expect(existsSync(join(task.repository, "new"))).toBe(false);

      task.script({ text: "Still here." });
      expect(await task.run("Which bird?")).toMatchObject({ status: "success" });
      expect(JSON.stringify(task.requests().at(-1)?.body)).toContain("Remember heron");
      // some sessions cannot be resumed by their own agent, in a sandbox or not
      if (agent.limits.resume === undefined) expect(JSON.stringify(await task.conversation())).not.toContain("session-replaced");
    },
  );
});
