import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { isOnPostgres } from "./support/server-database.ts";

/** Everything in the data dir except for checked-out files: the folder around the worktrees denies others access. */
function listFiles(home: string, folder = home): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const isWorktree = relative(home, folder) === "worktrees";
    return entry.isDirectory() && !isWorktree ? [path, ...listFiles(home, path)] : isWorktree ? [] : [path];
  });
}

test("[X3, X11, X18] whatever the umask, no other user can read anything in the data dir, and no log contains a secret", async () => {
  const server = await startRealServer({ umask: "000", environment: { ANTHROPIC_API_KEY: "sk-ant-test-key-0123456789abcdef" } });
  const { api, home, url } = server;
  const project = await api.createProject(newRepository());
  const task = await api.createTask(project.id);
  const model = newScriptedModel([{ toolCalls: [bash("seq 1 60000; touch new-file")] }, { text: "Done." }]);
  await api.createAttempt(task.id, { model });
  const stream = await openEventStream(api);
  await api.send(task.id, "work");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
  await api.request("PUT", "/api/settings/providers/openai", { apiKey: "sk-test-0123456789abcdef" });
  const { url: link, redirectFile } = await api.request<{ url: string; redirectFile?: string }>("POST", "/api/launch-codes", {
    redirectFile: true,
  });
  const code = new URL(link).hash.slice(1);
  const signedIn = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const { secret } = (await signedIn.json()) as { secret: string };
  const cookie = signedIn.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? "";

  // changes are recorded after the end of the execution; until then files appear and disappear
  await vi.waitFor(() => expect(readdirSync(join(home, "unrecorded"))).toEqual([]), { timeout: 60_000, interval: 200 });
  const files = listFiles(home);
  const names = files.map((path) => relative(home, path));
  const ofDatabase = isOnPostgres ? [] : ["skein.db", "sessions.json"];
  expect(names).toEqual(expect.arrayContaining(["token", "lock.db", ...ofDatabase, "config.json", "server.json", "worktrees", "run"]));
  expect(files).toContain(redirectFile);
  // a link has no mode of its own
  const modes = [home, ...files.filter((path) => !lstatSync(path).isSymbolicLink())].map(
    (path) => [relative(home, path), (lstatSync(path).mode & 0o777).toString(8)] as const,
  );
  expect(modes.filter(([, mode]) => !/^[0-7]00$/.test(mode))).toEqual([]);

  await server.stop();
  const token = readFileSync(join(home, "token"), "utf8");
  const kept = listFiles(home).filter((path) => lstatSync(path).isFile() && !/token$|config\.json$/.test(path));
  for (const path of kept) {
    const content = readFileSync(path, "latin1");
    const found = [token, secret, cookie, code, "sk-ant-test-key", "sk-test-0123"].filter((text) => content.includes(text));
    expect([relative(home, path), found]).toEqual([relative(home, path), []]);
  }
});
