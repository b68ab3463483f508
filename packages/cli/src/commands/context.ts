import { nextRequestSchema, type RequestProvider } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatNextRequest } from "../format/next-request-text.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { choosePaint } from "../terminal/style.ts";

/** `skein context`: the next request to the model of an attempt. */
export async function context(
  id: string,
  options: { home?: string; provider?: RequestProvider; message?: string; json?: boolean },
): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const attemptId = await resolveAttempt(connection.client, prefix);
  const query = new URLSearchParams();
  if (options.provider !== undefined) query.set("provider", options.provider);
  if (options.message !== undefined) query.set("message", options.message);
  const request = await connection.client.get(`/api/attempts/${attemptId}/request?${query}`, nextRequestSchema);
  console.log(options.json ? JSON.stringify(request, null, 2) : formatNextRequest(request, choosePaint(process.stdout, process.env)));
  return exitCode.success;
}
