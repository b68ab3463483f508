import { readFile } from "node:fs/promises";
import { exceededResourceSchema, messageTextSchema } from "@skein/contracts";
import { z } from "zod";
import type { AgentExit, ExecutionFolder, RunnerIdentity } from "./execution-folder.ts";

/*
 * Files that a runner wrote about itself and its agent. An agent runs as the same user and can write them, too, so invalid content is
 * treated as missing and the execution still ends.
 */

const runnerIdentitySchema = z.object({
  pid: z.int().positive(),
  startTime: z.string().nullable(),
  bootId: z.string().nullable(),
  socket: z.string(),
  cgroup: z.string().exactOptional(),
}) satisfies z.ZodType<RunnerIdentity>;

const agentExitSchema = z.object({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  endedAt: z.number().nonnegative(),
  startError: z.string().exactOptional(),
  notStarted: messageTextSchema.exactOptional(),
  interrupted: messageTextSchema.exactOptional(),
  wasStopped: z.literal(true).exactOptional(),
  overLimit: exceededResourceSchema.exactOptional(),
  refusedControl: z.literal(true).exactOptional(),
}) satisfies z.ZodType<AgentExit>;

export function readRunnerIdentity(folder: Pick<ExecutionFolder, "runner">): Promise<RunnerIdentity | undefined> {
  return readChecked(folder.runner, runnerIdentitySchema);
}

export function readAgentExit(folder: ExecutionFolder): Promise<AgentExit | undefined> {
  return readChecked(folder.exit, agentExitSchema);
}

async function readChecked<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
