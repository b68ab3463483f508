import { spawn } from "node:child_process";
import { realpath } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { type ClientContext, client, type ListSessionsResponse, RequestError, type SessionInfo } from "@agentclientprotocol/sdk";
import { type AgentHint, type AgentSession, isSessionId, type NoticeText } from "@skein/contracts";
import type { SessionListResult } from "@skein/engine";
import { takeStart } from "@skein/engine/truncate";
import { type AgentProcess, startAgentProcess } from "../driver/agent-process.ts";
import type { SessionListOrder } from "../driver/create-driven-agent.ts";
import { describeStartFailure } from "../driver/start-failure.ts";
import { AcpFailure } from "./acp-failure.ts";
import { type AcpOptions, explainRefusal, getAcpOptions, toAcpStart } from "./acp-options.ts";
import { linkAgent } from "./agent-link.ts";
import { initializeAgent } from "./initialize-agent.ts";
import { listResumeMethods, toRequestErrorText, withLogin } from "./open-session.ts";

const maxSessions = 200;
const maxPages = 20;
const maxTitleLength = 300;
const withinMs = 60_000;
const exitPatienceMs = 500;

/** Starts an agent, lists its sessions in a folder, and ends it. Sends no prompt, and answers no request of the agent. */
export async function listAcpSessions(order: SessionListOrder): Promise<SessionListResult> {
  const options = getAcpOptions(order);
  const refusal = explainRefusal(order, options);
  if (refusal !== undefined) return toProblem(order, refusal);
  const agent = startProgram(order, options);
  const connection = client({ name: "skein" }).connect(linkAgent({ agent, log: () => {}, watch: () => undefined }));
  const failed = agent.ended.then(({ startError }) =>
    toProblem(
      order,
      startError === undefined ? { code: "ended-before-answer", agent: order.name } : describeStartFailure(order, startError),
    ),
  );
  const tooLate = wait(withinMs, undefined, { ref: false }).then(() =>
    toProblem(order, { code: "no-hello", agent: order.name, seconds: withinMs / 1000 }),
  );
  try {
    const listed = askForSessions(order, options, connection.agent).catch((error: unknown) => {
      if (!connection.signal.aborted) throw error;
      return failed; // the connection ended with the program
    });
    return await Promise.race([listed, failed, tooLate]);
  } finally {
    await endProgram(agent);
  }
}

function startProgram(order: SessionListOrder, options: AcpOptions): AgentProcess {
  const { command, directory, environment } = order;
  return startAgentProcess(
    {
      environment,
      startProgram: (start) =>
        spawn(start.program, start.args, { cwd: start.directory, env: { ...start.environment }, stdio: "pipe", detached: true }),
      logErrors: (source) => void source.resume(),
      whenWritable: () => undefined,
    },
    { command, directory, ...toAcpStart(order, options, environment) },
  );
}

async function endProgram(agent: AgentProcess): Promise<void> {
  agent.closeStdin();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const end = await Promise.race([agent.ended, wait(exitPatienceMs)]);
    if (end !== undefined) return;
    agent.signal(signal);
  }
}

async function askForSessions(order: SessionListOrder, options: AcpOptions, agent: ClientContext): Promise<SessionListResult> {
  const { environment } = order;
  try {
    const hello = await initializeAgent({ agent, order, options, record: () => {} });
    if (hello.agentCapabilities?.sessionCapabilities?.list == null || listResumeMethods(hello).length === 0) {
      return { ok: false, problem: { code: "sessions-not-offered", agent: order.name } };
    }
    // agents compare paths as strings
    const folder = await realpath(order.directory);
    const found = new Map<string, AgentSession>();
    let cursor: string | null | undefined;
    for (let page = 0; page < maxPages && found.size < maxSessions; page++) {
      const request = { cwd: folder, ...(cursor == null ? {} : { cursor }) };
      const ask = () => agent.request("session/list", request);
      const answer = (await withLogin({ agent, order, options, environment }, ask)) as ListSessionsResponse;
      for (const session of answer.sessions) {
        // several agents ignore the filter; an id that could be read as an option is never passed on
        if (session.cwd === folder && isSessionId(session.sessionId)) found.set(session.sessionId, toSession(session));
      }
      cursor = answer.nextCursor;
      if (cursor == null) break;
    }
    const sessions = [...found.values()].sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
    return { ok: true, sessions: sessions.slice(0, maxSessions), truncated: cursor != null || sessions.length > maxSessions };
  } catch (error) {
    if (error instanceof AcpFailure) return toProblem(order, error.reason);
    if (!(error instanceof RequestError)) throw error;
    return toProblem(order, toRequestErrorText(error));
  }
}

function toProblem({ name: agent }: SessionListOrder, reason: string | NoticeText | AgentHint): SessionListResult {
  return { ok: false, problem: { code: "sessions-not-listed", agent, reason } };
}

function toSession({ sessionId, title, updatedAt }: SessionInfo): AgentSession {
  const at = Date.parse(updatedAt ?? "");
  return { id: sessionId, title: title == null ? null : takeStart(title, maxTitleLength), updatedAt: Number.isNaN(at) ? null : at };
}
