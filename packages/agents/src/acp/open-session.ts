import { type ClientContext, type InitializeResponse, RequestError } from "@agentclientprotocol/sdk";
import type { DriverContext } from "../driver/driver.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { AcpFailure } from "./acp-failure.ts";
import type { AcpOptions } from "./acp-options.ts";

export interface OpenSession {
  sessionId: string;
  /** What the agent told of it: modes, models, config options. */
  told: JsonObject;
  /** It does not know what was said before. */
  isNew: boolean;
  /** What it knows is told again, and perhaps after it said that it is done. */
  replays: boolean;
}

const authRequired = -32_000;

type Opening = Pick<DriverContext, "order" | "record" | "environment"> & { agent: ClientContext; options: AcpOptions };

/** The session of the order where the agent still knows it, else a new one. */
export async function openSession(opening: Opening, { agentCapabilities }: InitializeResponse): Promise<OpenSession> {
  const { agent, order } = opening;
  const place = { cwd: order.directory, mcpServers: [] };
  const { loadSession = false, sessionCapabilities } = agentCapabilities ?? {};
  // Skein has the history: an agent that can do without telling it again is asked to. One may know a session in one way only.
  const methods = [
    ...(sessionCapabilities?.resume == null ? [] : (["session/resume"] as const)),
    ...(loadSession ? (["session/load"] as const) : []),
  ];
  const { sessionId } = order;
  for (const method of methods) {
    if (sessionId === null) break;
    try {
      const told = await withLogin(opening, () => agent.request(method, { sessionId, ...place }));
      return { sessionId, told: toObject(told), isNew: false, replays: method === "session/load" };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }
  return openNewSession(opening);
}

/** A new session. When the order names one, that cannot be continued, and the user is notified. */
export async function openNewSession(opening: Opening): Promise<OpenSession> {
  const { agent, order, record } = opening;
  if (order.sessionId !== null && order.transcript !== null) {
    record({ type: "notice", text: { code: "session-replaced", agent: order.name, isInformed: true }, code: "session-replaced" });
  }
  const place = { cwd: order.directory, mcpServers: [] };
  const told = toObject(await withLogin(opening, () => agent.request("session/new", place)));
  if (typeof told.sessionId !== "string") throw new AcpFailure({ code: "session-not-named", agent: order.name }, "not-understood");
  return { sessionId: told.sessionId, told, isNew: true, replays: false };
}

/** Logs in where a key does it, and tries once more. */
async function withLogin({ agent, order, options, environment }: Opening, ask: () => Promise<unknown>): Promise<unknown> {
  const { keyLogin, login } = options;
  try {
    return await ask();
  } catch (error) {
    if (!needsLogin(error)) throw error;
    if (keyLogin === undefined || !environment[keyLogin.variable]) {
      throw new AcpFailure({ code: "agent-not-logged-in", agent: order.name, ...(login === undefined ? {} : { login }) }, "not-logged-in", {
        cause: error,
      });
    }
    await agent.request("authenticate", { methodId: keyLogin.methodId });
    return ask();
  }
}

function needsLogin(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.code === authRequired || /authentication required|not logged in|please log ?in/i.test(error.message);
}

function toObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
