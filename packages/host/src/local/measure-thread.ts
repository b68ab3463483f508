import { Worker } from "node:worker_threads";
import { locateProgram } from "@skein/agents/locate-program";
import { createRequestThread } from "../threads/request-thread.ts";
import { measurePath } from "./measure-path.ts";

export interface MeasureRequest {
  path: string;
}

const thread = createRequestThread<MeasureRequest, { bytes: number } | { failure: string }>({
  start: () => new Worker(locateProgram(new URL("./measure-thread-program.ts", import.meta.url)), { name: "measure" }),
  toFailure: ({ message }) => ({ failure: message }),
});

/** `measurePath` in a thread: a worktree may have a hundred thousand files. Without a thread, in this one. */
export async function measureInThread(path: string): Promise<number> {
  const result = await thread.call({ path });
  return "bytes" in result ? result.bytes : measurePath(path);
}
