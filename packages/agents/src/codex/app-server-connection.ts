import type { JsonValue } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine/json-fields";
import type { AgentProcess } from "../driver/agent-process.ts";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import { toRequestId } from "../lines/sent-requests.ts";

export type AppServerAnswer =
  | { type: "result"; result: JsonObject }
  | { type: "error"; message: string }
  /** The app server exited before it answered. */
  | { type: "gone" };

/** JSON-RPC with `codex app-server`. All of its output, and every request to it, is logged before it is handled. */
export interface AppServerConnection {
  request(method: string, params: JsonObject): Promise<AppServerAnswer>;
  notify(method: string): void;
  answer(requestId: string, result: JsonValue): void;
  /** Prevents it from waiting for an answer that nobody can give. */
  refuse(requestId: string): void;
  /** Resolves when it has closed its stdout. */
  readonly closed: Promise<void>;
}

export function connectAppServer(
  agent: AgentProcess,
  listener: {
    log(line: string | Uint8Array): void;
    /** Called before the line is logged; true if it was answered without the user and need not be logged. */
    onRequest(request: { requestId: string; method: string; params: JsonObject }): boolean;
    onNotification(method: string, params: JsonObject): void;
  },
): AppServerConnection {
  const waiting = new Map<string, (answer: AppServerAnswer) => void>();
  let lastId = 0;
  let isGone = false;

  function read(line: Buffer): void {
    const parsed = parseLine(line.toString("utf8"));
    const value = parsed.type === "object" ? parsed.value : {};
    const method = stringField(value, "method");
    const requestId = toRequestId(value);
    const params = objectField(value, "params") ?? {};
    if (method !== undefined && requestId !== undefined) {
      if (!listener.onRequest({ requestId, method, params })) listener.log(line);
      return;
    }
    listener.log(line);
    if (method !== undefined) listener.onNotification(method, params);
    else if (requestId !== undefined) take(requestId)?.(toAnswer(value));
  }

  function take(requestId: string) {
    const resolve = waiting.get(requestId);
    waiting.delete(requestId);
    return resolve;
  }

  const closed = (async () => {
    for await (const line of agent.lines) read(line);
    isGone = true;
    for (const resolve of waiting.values()) resolve({ type: "gone" });
  })();

  const send = (message: JsonObject): void => agent.write(JSON.stringify(message));
  // keeps the id's type: a string stays a string
  const reply = (requestId: string, rest: string): void => agent.write(`{"id":${requestId},${rest}}`);
  return {
    request(method, params) {
      if (isGone) return Promise.resolve({ type: "gone" });
      const id = ++lastId;
      // The user's text is already stored: the log needs only what an answer belongs to.
      const { input: _, ...logged } = params;
      listener.log(JSON.stringify({ id, method, params: logged }));
      const { promise, resolve } = Promise.withResolvers<AppServerAnswer>();
      waiting.set(String(id), resolve);
      send({ id, method, params });
      return promise;
    },
    notify: (method) => send({ method }),
    answer: (requestId, result) => reply(requestId, `"result":${JSON.stringify(result)}`),
    refuse: (requestId) => reply(requestId, `"error":{"code":-32601,"message":"Skein does not answer this request."}`),
    closed,
  };
}

function toAnswer(value: JsonObject): AppServerAnswer {
  const error = objectField(value, "error");
  if (error !== undefined) return { type: "error", message: stringField(error, "message") ?? "Codex gave no reason." };
  return { type: "result", result: objectField(value, "result") ?? {} };
}
