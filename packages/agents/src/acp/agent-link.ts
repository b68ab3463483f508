import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { AgentProcess } from "../driver/agent-process.ts";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";

type WatchResult = JsonObject | "later" | undefined;

export interface AgentLinkInput {
  agent: Pick<AgentProcess, "lines" | "write">;
  log(line: string | Uint8Array): void;
  /** Sees each message before it is logged; what it returns is logged in its place. `later`: it is logged by whoever watches. */
  watch(message: JsonObject): WatchResult | Promise<WatchResult>;
}

/**
 * The two directions of a connection, with what passes written to the log on its way: all that the agent says, and the
 * requests that go to it. The answers to its own requests are not: their numbers are the agent's.
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
          // updates are for the log alone; what is no message is shown from there, and not answered: it is a program's chatter
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

/** What stands in the log already, or concerns nobody who reads it, is left out: prompts with their pictures, and files. */
function toLoggedRequest({ params, ...request }: JsonObject): JsonObject {
  const sessionId = typeof params === "object" && params !== null && !Array.isArray(params) ? params.sessionId : undefined;
  return sessionId === undefined ? request : { ...request, params: { sessionId } };
}
