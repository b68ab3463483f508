import { setTimeout as wait } from "node:timers/promises";
import { type AttemptCheck, attemptCheckSchema } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

const refreshMs = 500;

/** `skein check`: runs the project's check script for an attempt and waits for its end. Returns 0 if it passed. */
export async function check(id: string, options: { home?: string; last?: boolean; json?: boolean }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const path = `/api/attempts/${await resolveAttempt(client, prefix)}/check`;
  const stop = () => client.post(`${path}/stop`, undefined, attemptCheckSchema).catch(() => undefined);
  using _signals = onInterrupt((count) => {
    if (count > 1) process.exit(exitCode.interrupted);
    void stop();
  });
  let known = await (options.last ? client.get(path, attemptCheckSchema) : client.post(path, undefined, attemptCheckSchema));
  while (known.check?.state === "waiting" || known.check?.state === "running") {
    await wait(refreshMs);
    known = await client.get(path, attemptCheckSchema);
  }
  if (options.json) console.log(JSON.stringify(known, null, 2));
  else console.log(describeCheck(known));
  return known.check?.state === "passed" && known.isOutdated !== true ? exitCode.success : exitCode.failed;
}

function describeCheck({ check: known, isOutdated }: AttemptCheck): string {
  if (known === null) return "There was no check of this attempt yet.";
  if (known.state === "not-run") return formatText(known.reason);
  const output = "output" in known ? known.output.trimEnd().split("\n").map(toRevealedLine).join("\n") : "";
  const outdated = isOutdated ? " Files have changed since." : "";
  const code = "exitCode" in known && known.state === "failed" ? ` Exit code: ${known.exitCode ?? "none"}.` : "";
  return `${output}${output === "" ? "" : "\n"}${ends[known.state]}${code}${outdated}`;
}

const ends = {
  waiting: "The checks have not started yet.",
  running: "The checks are running.",
  passed: "Checks passed.",
  failed: "Checks failed.",
  "timed-out": "The checks took too long and were stopped.",
  stopped: "The checks were stopped.",
  interrupted: "The checks were interrupted. Run them again.",
};
