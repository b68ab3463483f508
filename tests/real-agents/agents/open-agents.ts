import type { Isolation, PermissionMode, Sandbox } from "@skein/contracts";
import { type ErrorReply, type ModelServer, type RecordedRequest, type Reply, startModelServer } from "@skein/testkit/model-servers";
import { onTestFinished } from "vitest";
import { type AgentTask, openAgentTask } from "../../support/agent-task.ts";
import { newFolder } from "../../support/repository.ts";
import type { TestedAgent } from "./tested-agent.ts";

/** The scripted model of one agent. */
export interface AgentModel {
  provider: ModelServer;
  /** What the model answers from now on. A function decides when it has read the request. */
  script(...replies: (Reply | ((sent: string) => Reply))[]): void;
  /** From now on every request fails, including those that name a session, for example. */
  fail(error: ErrorReply): void;
  /** Requests of the agent itself. */
  requests(): RecordedRequest[];
}

export interface TestedTask extends AgentTask, AgentModel {
  models: ReadonlyMap<TestedAgent, AgentModel>;
}

/** Several agents generate a title alongside the work, with a request without tools. */
const hasTools = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "tools" in body && Array.isArray(body.tools) && body.tools.length > 0;

async function startAgentModel(agent: TestedAgent): Promise<AgentModel> {
  let left: (Reply | ((sent: string) => Reply))[] = [];
  let failure: ErrorReply | undefined;
  const server = await startModelServer({
    api: agent.api,
    script({ body }) {
      if (failure !== undefined) return { error: failure };
      if (!hasTools(body)) return { text: "A title" };
      const next = left.shift() ?? { text: "Nothing more." };
      return typeof next === "function" ? next(JSON.stringify(body)) : next;
    },
  });
  onTestFinished(() => server.close());
  return {
    provider: server,
    script(...replies) {
      left = replies;
      failure = undefined;
    },
    fail(error) {
      failure = error;
    },
    requests: () => server.requests.filter(({ body }) => hasTools(body)),
  };
}

/** A task of the real program, driven by the real server; other agents can continue it, each with its own model. */
export async function openTestedAgent(
  agent: TestedAgent,
  options: {
    permissionMode?: PermissionMode;
    isolation?: Isolation;
    sandbox?: Sandbox;
    repository?: string;
    others?: readonly TestedAgent[];
  } = {},
): Promise<TestedTask> {
  const agents = [...new Set([agent, ...(options.others ?? [])])];
  const models = new Map<TestedAgent, AgentModel>();
  const config: Record<string, object> = {};
  let environment: Record<string, string> = {};
  for (const one of agents) {
    const model = await startAgentModel(one);
    models.set(one, model);
    const home = newFolder(`${one.id.replace(/\W/g, "-")}-home`);
    // several agents are large programs for Node, which are compiled once, not with every fresh home
    const { NODE_COMPILE_CACHE = "" } = process.env;
    const needs = { HOME: home, TMPDIR: newFolder("agent-tmp"), NODE_COMPILE_CACHE, ...one.setUp(home, model.provider) };
    if (one.command === undefined) environment = { ...environment, ...needs };
    else config[one.id] = { command: one.command, environment: needs };
  }
  const task = await openAgentTask({
    config: { agents: config },
    environment,
    ...(options.repository === undefined ? {} : { repository: options.repository }),
    attempt: {
      agent: agent.id,
      permissionMode: options.permissionMode ?? "full",
      ...(options.isolation === undefined ? {} : { isolation: options.isolation }),
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
      ...(agent.model === undefined ? {} : { model: agent.model }),
    },
  });
  const model = models.get(agent);
  if (model === undefined) throw new Error(`${agent.id} has no model.`);
  return Object.assign(task, model, { models });
}
