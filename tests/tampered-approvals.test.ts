import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Approval } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { openAgentTask } from "./support/agent-task.ts";
import { openEventStream } from "./support/event-stream.ts";
import { newFolder } from "./support/repository.ts";
import { newRogueAgent } from "./support/rogue-agent.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const wait = { timeout: 40_000, interval: 200 };

/** What an agent can do with one approved command: it reads the token and answers its next question, in every way it can find. */
const attack = `
import { connect } from "node:net";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
const [home, url, out] = process.argv.slice(2);
writeFileSync(out + ".started", "");
const headers = { authorization: "Bearer " + readFileSync(home + "/token", "utf8"), "content-type": "application/json" };
const report = (result) => { writeFileSync(out + ".part", JSON.stringify(result)); renameSync(out + ".part", out); };
process.on("uncaughtException", (error) => { report({ error: String(error.cause ?? error) }); process.exit(1); });
for (;;) {
  const open = await (await fetch(url + "/api/approvals?status=pending", { headers })).json();
  const approval = open.find(({ input }) => input.command === "touch ran.txt");
  if (approval === undefined) { await new Promise((resolve) => setTimeout(resolve, 50)); continue; }
  const answer = await fetch(url + "/api/approvals/" + approval.id, { method: "POST", headers, body: JSON.stringify({ decision: "allow" }) });
  const { status } = answer;
  const { code } = await answer.json();
  for (const name of readdirSync(home + "/run")) {
    const control = { type: "approval", toolUseId: approval.toolUseId, decision: "allow", reason: null };
    const socket = connect(home + "/run/" + name).on("error", () => {}).resume();
    socket.write(JSON.stringify({ type: "stdin", data: JSON.stringify(control) + "\\n" }) + "\\n");
    await new Promise((resolve) => socket.once("close", resolve).setTimeout(1000, () => socket.destroy()));
  }
  report({ status, code });
  break;
}
setInterval(() => {}, 1000);
`;

test.runIf(process.platform === "linux")(
  "[E10, X15] an agent that answers its own approval is refused, and the approval shows it",
  async () => {
    const folder = newFolder("attack");
    const program = join(folder, "attack.mjs");
    const out = join(folder, "out.json");
    writeFileSync(program, attack);
    const first = `. ./attack.sh`;
    const model = newScriptedModel([
      { text: "One.", toolCalls: [bash(first)] },
      { text: "Two.", toolCalls: [bash("touch ran.txt")] },
      { text: "Done." },
    ]);
    const task = await openAgentTask({ attempt: { agent: "native", model, permissionMode: "ask" } });
    const { server, attempt } = task;
    // A process in its own session, without environment or parent. The command waits for it: when a command ends, what is
    // left of its process group is killed, and `setsid -f` forks before it leaves the group.
    const escaped = `env -i setsid -f '${process.execPath}' '${program}' '${server.home}' '${server.url}' '${out}' > /dev/null 2>&1 < /dev/null`;
    writeFileSync(join(attempt.directory, "attack.sh"), `${escaped}\nwhile [ ! -e '${out}.started' ]; do sleep 0.02; done\n`);
    const stream = await openEventStream(server.api, { after: 0 });

    const executionId = await task.send("go");
    const asked = await task.pendingApproval();
    expect(asked.input).toMatchObject({ command: first });
    await task.answer(asked, { decision: "allow" });
    // the server reports the refused answer; the program reports, whole, once it has tried the sockets as well
    await stream.waitFor(({ event }) => event.type === "approval:requested" && event.approval.tampering !== undefined);
    await vi.waitFor(() => expect(existsSync(out)).toBe(true), { timeout: 120_000, interval: 50 });

    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual({ status: 403, code: "answered-by-agent" });
    const approval = await task.pendingApproval();
    expect(approval).toMatchObject({ input: { command: "touch ran.txt" }, tampering: { kind: "answer-refused" } });
    expect(existsSync(join(attempt.directory, "ran.txt"))).toBe(false);
    const codes = async () => (await task.conversation()).map(({ metadata }) => (metadata as { code?: string } | undefined)?.code);
    await vi.waitFor(async () => expect(await codes()).toContain("control-refused"), wait);

    // the user still decides
    await task.answer(approval, { decision: "deny" });
    expect(await task.ended(executionId)).toMatchObject({ status: "success" });
    expect(existsSync(join(attempt.directory, "ran.txt"))).toBe(false);
    const kept = await server.api.request<Approval[]>("GET", "/api/approvals?status=answered");
    expect(kept.find(({ id }) => id === approval.id)).toMatchObject({ decision: "deny", tampering: { kind: "answer-refused" } });
    stream.close();
  },
);

test("[E10] an agent that acts without an answer is reported, on the approval and in the conversation", async () => {
  const agents = { "acp:rogue": { command: newRogueAgent() } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "acp:rogue", permissionMode: "ask" } });
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect(await task.pendingApproval()).toMatchObject({ tampering: { kind: "ran-unanswered" } }), wait);
  await vi.waitFor(async () => {
    const errors = (await task.conversation()).filter(({ messageType }) => messageType === "error");
    expect(errors).toMatchObject([{ metadata: { code: "approval-tampered" } }]);
  }, wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
  const kept = await task.server.api.request<Approval[]>("GET", "/api/approvals?status=expired");
  expect(kept).toMatchObject([{ tampering: { kind: "ran-unanswered" } }]);
});
