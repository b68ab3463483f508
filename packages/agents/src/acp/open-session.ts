import { type ClientContext, type InitializeResponse, type McpServer, RequestError } from "@agentclientprotocol/sdk";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { formatText } from "@skein/engine";
import type { DriverContext } from "../driver/driver.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { skeinServerName, skeinTokenVariable } from "../skein/skein-server.ts";
import { AcpFailure } from "./acp-failure.ts";
import type { AcpOptions } from "./acp-options.ts";
import { toRpcErrorText } from "./prompt-end.ts";

export interface OpenSession {
  sessionId: string;
  /** The agent's answer: modes, models, config options. */
  response: JsonObject;
  /** It does not know the earlier conversation. */
  isNew: boolean;
  /** Its history is replayed, possibly after the agent's answer. */
  replays: boolean;
}

const authRequired = -32_000;

type LoginContext = Pick<DriverContext, "environment"> & { order: Pick<DriverOrder, "name">; agent: ClientContext; options: AcpOptions };
type Opening = LoginContext & Pick<DriverContext, "order" | "record">;

/** Requests that open an existing session, the preferred one first: Skein has the history and needs no replay. */
export function listResumeMethods({ agentCapabilities }: InitializeResponse): ("session/resume" | "session/load")[] {
  const { loadSession = false, sessionCapabilities } = agentCapabilities ?? {};
  return [
    ...(sessionCapabilities?.resume == null ? [] : (["session/resume"] as const)),
    ...(loadSession ? (["session/load"] as const) : []),
  ];
}

/**
 * Opens the session of the order if the agent still has it, otherwise a new one.
 * @throws AcpFailure if the order must resume its session and the agent cannot.
 */
export async function openSession(opening: Opening, hello: InitializeResponse): Promise<OpenSession> {
  const { agent, order, record } = opening;
  const place = toPlace(opening, hello);
  const { sessionId } = order;
  if (sessionId === null) return openNewSession(opening, hello);
  let said: string | undefined;
  // an agent may find a session by only one of the two requests
  for (const method of listResumeMethods(hello)) {
    try {
      const response = await withLogin(opening, () => agent.request(method, { sessionId, ...place }));
      if (order.mustResume) {
        record({ type: "notice", text: { code: "session-resumed", agent: order.name }, code: "session-resumed" });
      }
      return { sessionId, response: toObject(response), isNew: false, replays: method === "session/load" };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      said = toRequestErrorText(error);
    }
  }
  if (order.mustResume) {
    const reason = { code: "session-not-resumed", agent: order.name, session: sessionId } as const;
    throw new AcpFailure(said === undefined ? reason : { ...reason, said }, "session-not-resumed");
  }
  return openNewSession(opening, hello);
}

/** Where a session works, and Skein's own MCP server if the agent may use it and can connect to it. */
function toPlace({ order, environment }: Opening, { agentCapabilities }: InitializeResponse): { cwd: string; mcpServers: McpServer[] } {
  const token = environment[skeinTokenVariable];
  const mayConnect = order.skeinUrl !== undefined && token !== undefined && agentCapabilities?.mcpCapabilities?.http === true;
  const headers = [{ name: "Authorization", value: `Bearer ${token}` }];
  const skein: McpServer = { type: "http", name: skeinServerName, url: order.skeinUrl ?? "", headers };
  return { cwd: order.directory, mcpServers: mayConnect ? [skein] : [] };
}

/** A new session. If the order names one, it cannot be continued, and the user is notified. */
export async function openNewSession(opening: Opening, hello: InitializeResponse): Promise<OpenSession> {
  const { agent, order, record } = opening;
  if (order.sessionId !== null && order.transcript !== null) {
    record({ type: "notice", text: { code: "session-replaced", agent: order.name, isInformed: true }, code: "session-replaced" });
  }
  const place = toPlace(opening, hello);
  const response = toObject(await withLogin(opening, () => agent.request("session/new", place)));
  if (typeof response.sessionId !== "string") throw new AcpFailure({ code: "session-not-named", agent: order.name }, "not-understood");
  return { sessionId: response.sessionId, response, isNew: true, replays: false };
}

/**
 * Sends a request. If the agent requires a login that works with a key from the environment, logs in and retries.
 * @throws AcpFailure if the user has to log in.
 */
export async function withLogin({ agent, order, options, environment }: LoginContext, ask: () => Promise<unknown>): Promise<unknown> {
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

/** The error of a rejected request, in the words of the agent or its provider. */
export function toRequestErrorText(error: RequestError): string {
  const text = toRpcErrorText({ message: error.message, data: (error.data ?? null) as never });
  return typeof text === "string" ? text : formatText(text);
}

function needsLogin(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.code === authRequired || /authentication required|not logged in|please log ?in/i.test(error.message);
}

function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
