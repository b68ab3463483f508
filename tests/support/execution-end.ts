import { setTimeout as pause } from "node:timers/promises";
import type { Execution } from "@skein/contracts";
import type { ApiClient } from "./api-client.ts";
import { openEventStream } from "./event-stream.ts";

const giveUpAfterMs = 120_000;

/**
 * Resolves with an execution that has ended, also across a restart of the server. Listens to the event stream: polling every few
 * milliseconds would cost the server more time than the execution.
 */
export async function waitForEnd(
  server: { readonly api: ApiClient },
  attemptId: string,
  executionId: string | undefined,
): Promise<Execution> {
  const givenUpAt = Date.now() + giveUpAfterMs;
  for (;;) {
    try {
      const stream = await openEventStream(server.api, { after: 0 });
      const timer = setTimeout(() => stream.close(), givenUpAt - Date.now());
      try {
        await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
      } finally {
        clearTimeout(timer);
        stream.close();
      }
      break;
    } catch (cause) {
      if (Date.now() >= givenUpAt) throw new Error(`The execution ${executionId} has not ended.`, { cause });
      await pause(100); // the server is being restarted
    }
  }
  const execution = (await server.api.executions(attemptId)).find(({ id }) => id === executionId);
  if (execution === undefined) throw new Error(`There is no execution ${executionId} in ${attemptId}.`);
  return execution;
}
