import { attemptDiffSchema } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatDiff, formatDiffStat } from "../format/diff-text.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { choosePaint } from "../terminal/style.ts";

/** `skein diff`: the changes of an attempt since its base commit, committed or not. */
export async function diff(id: string, options: { home?: string; stat?: boolean; json?: boolean }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const attemptId = await resolveAttempt(client, prefix);
  const changes = await client.get(`/api/attempts/${attemptId}/diff`, attemptDiffSchema);
  if (options.json) console.log(JSON.stringify(changes, null, 2));
  else if (changes.files.length === 0) console.log("No changes.");
  else console.log(options.stat ? formatDiffStat(changes) : formatDiff(changes, choosePaint(process.stdout, process.env)));
  return exitCode.success;
}
