import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, StartedTask, Task } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { isLong } from "./support/long.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { startRealWorker } from "./support/real-worker.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

/** A git in PATH that kills the process that calls it: at one call, before or after it has done its work. */
function newKiller() {
  const folder = newFolder("killer");
  const [count, order] = [join(folder, "count"), join(folder, "order")];
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh
[ -f "${order}" ] || exec ${real} "$@"
n=$(( $(cat "${count}") + 1 )); echo $n > "${count}"
read at when < "${order}"
[ "$n" = "$at" ] && [ "$when" = before ] && rm "${order}" && kill -9 $PPID && exit 1
${real} "$@"; code=$?
[ "$n" = "$at" ] && [ "$when" = after ] && rm "${order}" && kill -9 $PPID
exit $code
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  return {
    environment: { PATH: `${folder}:${process.env.PATH}` },
    arm(call: number, when: "before" | "after"): void {
      writeFileSync(count, "0\n");
      writeFileSync(order, `${call} ${when}\n`);
    },
    /** Returns whether it has killed. */
    disarm(): boolean {
      const hasKilled = !existsSync(order);
      rmSync(order, { force: true });
      return hasKilled;
    },
  };
}

const model = newScriptedModel([{ text: "Done." }]);
const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
const folders = (home: string): string[] => list(join(home, "worktrees")).filter((name) => !name.startsWith("."));
const gitDirs = (home: string): string[] => list(join(home, "git")).filter((name) => name.startsWith("att_"));

/** What exists for attempts, on disk and in the repository, and what the server knows of. */
async function survey(server: RealServer, repository: string, homes: readonly string[]) {
  const attempts: Attempt[] = [];
  for (const { id } of await server.api.request<Task[]>("GET", "/api/tasks"))
    attempts.push(...(await server.api.request<Attempt[]>("GET", `/api/tasks/${id}/attempts`)));
  const branches = git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads/skein").split("\n").filter(Boolean);
  const kept = git(repository, "for-each-ref", "--format=%(refname)", "refs/skein/mirrors").split("\n").filter(Boolean);
  return {
    found: {
      worktrees: homes.flatMap(folders).toSorted(),
      branches: branches.toSorted(),
      foreign: [...new Set(homes.flatMap(gitDirs))].filter((id) => !attempts.some((attempt) => attempt.id === id)),
      mirrors: kept.filter((ref) => !attempts.some(({ id }) => ref.endsWith(id))),
      noted: homes.flatMap((home) => list(join(home, "creations"))),
    },
    known: {
      worktrees: attempts.map(({ directory }) => directory.split("/").at(-1)).toSorted(),
      branches: attempts.map(({ branch }) => branch).toSorted(),
      foreign: [],
      mirrors: [],
      noted: [],
    },
  };
}

describe("[W3, Q5] a start that is cut off leaves nothing but what is saved", () => {
  test.each([
    { where: "here", victim: "server" },
    { where: "box", victim: "server" },
    { where: "box", victim: "worker" },
  ] as const)("kill -9 of the $victim at its calls of git, on the machine “$where”", { timeout: 600_000 }, async ({ where, victim }) => {
    const killer = newKiller();
    const server = await startRealServer({ environment: victim === "server" ? killer.environment : {} });
    const worker =
      where === "here" ? undefined : await startRealWorker(server, { environment: victim === "worker" ? killer.environment : {} });
    const repository = newRepository();
    const { id: projectId } = await server.api.createProject(repository);
    const homes = [server.home, ...(worker === undefined ? [] : [worker.home])];
    const attempt = { agent: "native", model, permissionMode: "full", ...(worker === undefined ? {} : { host: worker.name }) };
    // the first one of a project prepares more
    await server.api.request("POST", "/api/starts", { id: "start-0", task: { projectId, title: "First" }, attempt, message: "Go" });

    let kills = 0;
    for (let call = 1; ; call += isLong ? 1 : 3) {
      const body = { id: `start-${call}`, task: { projectId, title: `Call ${call}` }, attempt, message: "Go" };
      killer.arm(call, call % 2 === 0 ? "before" : "after");
      const started = await server.api.request<StartedTask>("POST", "/api/starts", body).catch(() => undefined);
      // git was called less often than that
      if (!killer.disarm()) break;
      kills++;
      if (victim === "server") await server.start();
      else await worker?.start();
      await worker?.connected();
      await vi.waitFor(
        async () => {
          const { found, known } = await survey(server, repository, homes);
          expect(found).toEqual(known);
        },
        { timeout: 90_000, interval: 500 },
      );
      const again = await server.api.request<StartedTask>("POST", "/api/starts", body);
      if (started !== undefined) expect(again.attempt.id).toBe(started.attempt.id);
    }
    expect(kills).toBeGreaterThan(2);
    const tasks = (await server.api.request<Task[]>("GET", "/api/tasks")).map(({ title }) => title);
    expect(tasks).toEqual([...new Set(tasks)]);
  });
});
