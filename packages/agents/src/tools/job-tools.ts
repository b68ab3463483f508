import { takeStart } from "@skein/engine";
import { z } from "zod";
import type { Job } from "./background-jobs.ts";
import { describeCommandEnd } from "./command-end.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment, type ToolOutcome } from "./tool.ts";

const jobIdSchema = z.string().min(1).max(100).describe("As bash returned it, for example job_1");
const maximumWaitSeconds = 300;

/** Tools for commands that bash started in the background. */
export function createJobTools({ jobs }: ToolEnvironment): NativeTool[] {
  const unknown = (jobId: string): ToolOutcome => {
    const known = jobs.list().map((job) => job.id);
    return failed(`There is no job ${jobId}. ${known.length === 0 ? "None was started in this turn." : `There are: ${known.join(", ")}.`}`);
  };
  return [
    defineTool({
      name: "jobs",
      access: "free",
      description: "Lists the commands that were started in the background in this turn, and whether they still run.",
      schema: z.strictObject({}),
      async run() {
        const lines = jobs.list().map((job) => `${job.id} ${describeState(job)} ${takeStart(job.command, 500)}`);
        return { output: lines.length === 0 ? "(no job was started)" : lines.join("\n"), state: "completed" };
      },
    }),
    defineTool({
      name: "job_output",
      access: "free",
      description:
        "Gives what a background job has printed since it was last asked, and whether it still runs. With waitSeconds it waits until the " +
        "job has ended or, with waitFor, has printed that text.",
      schema: z.strictObject({
        jobId: jobIdSchema,
        waitSeconds: z.number().positive().max(maximumWaitSeconds).optional().describe(`At most ${maximumWaitSeconds}`),
        waitFor: z.string().min(1).max(1000).optional().describe("Text that ends the waiting, for example listening on"),
      }),
      async run({ jobId, waitSeconds, waitFor }, { signal }) {
        const job = jobs.find(jobId);
        if (job === undefined) return unknown(jobId);
        if (waitSeconds !== undefined) await job.wait({ timeoutMs: waitSeconds * 1000, text: waitFor, signal });
        signal.throwIfAborted();
        return toOutcome(job);
      },
    }),
    defineTool({
      name: "job_stop",
      access: "free",
      description: "Ends a background job with everything that it started, and gives what it printed last.",
      schema: z.strictObject({ jobId: jobIdSchema }),
      async run({ jobId }) {
        const job = jobs.find(jobId);
        if (job === undefined) return unknown(jobId);
        await job.stop();
        return toOutcome(job);
      },
    }),
  ];
}

/** A failed job does not make reading it fail. */
function toOutcome(job: Job): ToolOutcome {
  const stdout = job.takeOutput();
  const exitCode = job.end === undefined ? null : describeCommandEnd(job.end).exitCode;
  const text = stdout === "" ? "(nothing new)" : stdout.replace(/\n$/, "");
  return {
    output: `${text}\n[${job.id} ${describeState(job)}]`,
    state: "completed",
    structured: { command: job.command, stdout, stderr: "", exitCode },
  };
}

function describeState({ end }: Job): string {
  if (end === undefined) return "runs";
  if (end.type === "aborted") return "was stopped";
  return end.type === "exited" ? `has ended with exit code ${end.exitCode}` : describeCommandEnd(end).line.slice(1, -1);
}
