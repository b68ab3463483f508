import type { AgentSessionList, Attempt, CommandResult, StartedTask } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { newRepository } from "./support/repository.ts";
import { newSessionAgent } from "./support/session-agent.ts";

async function open() {
  const agent = newSessionAgent();
  const server = await startConfiguredServer({
    agents: { "acp:keeper": { command: agent.command }, "command:plain": { command: ["cat"] } },
  });
  const repository = newRepository();
  const project = await server.api.createProject(repository);
  agent.write({
    s1: { cwd: repository, title: "Fix the parser", updatedAt: "2026-01-01T00:00:00Z", messages: ["first"] },
    s2: { cwd: "/elsewhere", title: "Another folder", messages: [] },
  });
  const start = (attempt: object, id = crypto.randomUUID()) =>
    server.api.request<StartedTask>("POST", "/api/starts", { id, task: { projectId: project.id }, attempt, message: "second" });
  const list = (name: string) => server.api.request<AgentSessionList>("GET", `/api/projects/${project.id}/agent-sessions?agent=${name}`);
  const shown = async (taskId: string) => (await server.api.conversation(taskId)).messages.map(({ content }) => content);
  return { agent, server, repository, start, list, shown };
}

const keeper = { agent: "acp:keeper", isolation: "in-place", permissionMode: "full" };

describe("sessions that an agent keeps itself", () => {
  test("[E3, N3] are listed for the project's folder, and the first message resumes the one that was chosen", async () => {
    const { server, start, list, shown } = await open();
    expect(await list("acp:keeper")).toEqual({
      sessions: [{ id: "s1", title: "Fix the parser", updatedAt: Date.UTC(2026, 0, 1) }],
      truncated: false,
    });
    const { task, attempt, executionId } = await start({ ...keeper, session: "s1" });
    expect(attempt).toMatchObject({ resumedSession: "s1", sessionId: null });
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
    expect(await shown(task.id)).toEqual(["second", expect.stringContaining("continues an existing session"), "first | second"]);
    expect(await server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`)).toMatchObject({ sessionId: "s1" });
    // from now on it is the attempt's own session
    const again = await server.api.send(task.id, "third");
    expect(await waitForEnd(server, attempt.id, again.executionId)).toMatchObject({ status: "success" });
    expect((await shown(task.id)).slice(3)).toEqual(["third", "first | second | third"]);
  });

  test("[E2, E3, E5] one that cannot be resumed is never replaced: the message waits for a retry, which resumes it", async () => {
    const { agent, server, repository, start, shown } = await open();
    const { task, attempt, executionId } = await start({ ...keeper, session: "gone" });
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({
      status: "failed",
      code: "not-answered",
      reason: expect.stringContaining("could not resume the session gone (No such session here). Nothing was sent."),
    });
    agent.write({ gone: { cwd: repository, title: "Back", messages: ["before"] } });
    const retry = { type: "RETRY_EXECUTION", taskId: task.id, executionId };
    const retried = await server.api.request<CommandResult>("POST", "/api/commands", retry);
    expect(await waitForEnd(server, attempt.id, retried.executionId)).toMatchObject({ status: "success" });
    expect((await shown(task.id)).at(-1)).toBe("before | second");
  });

  test("[N3] what cannot work is rejected before anything is made", async () => {
    const { start, list, server } = await open();
    await expect(start({ ...keeper, isolation: "worktree", session: "s1" })).rejects.toMatchObject({
      status: 422,
      problem: { code: "session-needs-project-folder" },
    });
    await expect(start({ ...keeper, agent: "command:plain", session: "s1" })).rejects.toMatchObject({
      problem: { code: "sessions-not-offered" },
    });
    await expect(start({ ...keeper, session: "--help" })).rejects.toMatchObject({ status: 400 });
    await expect(list("command:plain")).rejects.toMatchObject({ status: 409, problem: { code: "sessions-not-offered" } });
    await expect(list("acp:unknown")).rejects.toMatchObject({ problem: { code: "agent-not-available" } });
    expect(await server.api.request<unknown[]>("GET", "/api/tasks")).toEqual([]);
  });
});
