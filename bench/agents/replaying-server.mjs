import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort, startSkein, withHome } from "../server-process.mjs";
import { makeRepository } from "./make-repository.mjs";

const program = fileURLToPath(new URL("./replayed-agent.mjs", import.meta.url));
const patienceMs = 600_000;

/** Runs `work` with a server whose Claude Code is a fake one: the message sets how many lines it writes, and how fast. */
export async function withReplayingServer(work) {
  return withHome(async (home) => {
    const config = { agents: { "claude-code": { command: [process.execPath, program] } } };
    writeFileSync(path.join(home, "config.json"), JSON.stringify(config));
    const port = await findFreePort();
    const server = await startSkein({ home, port });
    const url = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${readFileSync(path.join(home, "token"), "utf8").trim()}` };
    const request = async (method, route, body) => {
      const options = { method, headers: { ...headers, "content-type": "application/json" }, body: body && JSON.stringify(body) };
      const response = await fetch(new URL(route, url), options);
      if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    try {
      const project = await request("POST", "/api/projects", { path: makeRepository(home) });
      return await work({
        home,
        url,
        headers,
        pid: server.pid,
        request,
        residentMegabytes: () => residentKilobytes(server.pid) / 1024,
        async createTask(title) {
          const task = await request("POST", "/api/tasks", { projectId: project.id, title });
          const attempt = await request("POST", `/api/tasks/${task.id}/attempts`, { agent: "claude-code", permissionMode: "full" });
          return { ...task, attemptId: attempt.id };
        },
        start: (task, { lines, pauseMs }) =>
          request("POST", "/api/commands", { type: "SEND_MESSAGE", taskId: task.id, message: `${lines} lines, ${pauseMs} ms` }),
        /** Resolves with the ended execution. */
        async waitUntilEnded(task) {
          for (const until = performance.now() + patienceMs; performance.now() < until; await delay(100)) {
            const last = (await request("GET", `/api/attempts/${task.attemptId}/executions`)).at(-1);
            if (last !== undefined && last.status !== "running") return last;
          }
          throw new Error("The execution did not end.");
        },
      });
    } finally {
      await server.stop();
    }
  });
}

/** A small Linux system may have no `ps`. */
export function residentKilobytes(pid) {
  if (existsSync("/proc/self/status")) return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1]);
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
}
