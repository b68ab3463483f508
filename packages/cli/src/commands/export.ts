import { writeFile } from "node:fs/promises";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";

/** `skein export` */
export async function exportAttempt(id: string, options: { home?: string; format: "json" | "markdown"; out?: string }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const attemptId = await resolveAttempt(connection.client, prefix);
  const response = await connection.client.request(`/api/attempts/${attemptId}/export?format=${options.format}`);
  const body = await response.text();
  if (options.out === undefined) {
    process.stdout.write(body.endsWith("\n") ? body : `${body}\n`);
    return exitCode.success;
  }
  try {
    await writeFile(options.out, body);
  } catch (cause) {
    throw new CliError(`${options.out} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  console.error(`Wrote ${options.out}.`);
  return exitCode.success;
}
