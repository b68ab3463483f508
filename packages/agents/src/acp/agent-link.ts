import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isJsonObject } from "@skein/contracts/is-json-object";
import type { AgentProcess } from "../driver/agent-process.ts";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";

type WatchResult = JsonObject | "later" | undefined;

export interface AgentLinkInput {
  agent: Pick<AgentProcess, "lines" | "write">;
  log(line: string | Uint8Array): void;
  /** Called for each message before it is logged; the returned message is logged instead. `later`: the watcher logs it itself. */
  watch(message: JsonObject): WatchResult | Promise<WatchResult>;
}

/**
 * Both directions of a connection, and their log: all messages of the agent, and the requests to it. Answers to its requests are not
 * logged: their ids are the agent's.
 */
export function linkAgent({ agent, log, watch }: AgentLinkInput): Stream {
  const lines = agent.lines[Symbol.asyncIterator]();
  return {
    readable: new ReadableStream<AnyMessage>({
      async pull(controller) {
        for (let next = await lines.next(); !next.done; next = await lines.next()) {
          const parsed = parseLine(next.value.toString("utf8"));
          const instead = parsed.type === "object" ? await watch(parsed.value) : undefined;
          if (instead !== "later") log(instead === undefined ? next.value : JSON.stringify(instead));
          // notifications are only logged; a line that is not a message is program output, which is logged and not answered
          if (parsed.type !== "object" || parsed.value.method === "session/update") continue;
          controller.enqueue(parsed.value as unknown as AnyMessage);
          return;
        }
        controller.close();
      },
    }),
    writable: new WritableStream<AnyMessage>({
      write(message) {
        if ("method" in message) log(JSON.stringify(toLoggedRequest(message as unknown as JsonObject)));
        agent.write(JSON.stringify(message));
      },
    }),
  };
}

/** Omits what is stored elsewhere or not needed: prompts with their images, and files. */
function toLoggedRequest({ params, ...request }: JsonObject): JsonObject {
  const sessionId = isJsonObject(params) ? params.sessionId : undefined;
  return sessionId === undefined ? request : { ...request, params: { sessionId } };
}
