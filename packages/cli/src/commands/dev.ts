import { type DevServer, devServerSchema, terminalOutputSchema } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { readLines } from "../terminal/attach-terminal.ts";
import { toTerminalText } from "../terminal/terminal-text.ts";

export type DevAction = "show" | "start" | "stop" | "log";

/** `skein dev`: the dev server of an attempt. */
export async function dev(id: string, action: DevAction, options: { home?: string; json?: boolean; follow?: boolean }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const attempt = `/api/attempts/${await resolveAttempt(client, prefix)}`;
  const path = `${attempt}/dev`;
  if (action === "log") {
    const { run } = await client.get(path, devServerSchema);
    if (run === null) console.log(describe(await client.get(path, devServerSchema)));
    else await printLog(`${attempt}/terminals/${run}/output`, { ...options, read: (address) => client.request(address) });
    return exitCode.success;
  }
  const known =
    action === "show"
      ? await client.get(path, devServerSchema)
      : await client.post(action === "start" ? path : `${path}/stop`, {}, devServerSchema);
  console.log(options.json ? JSON.stringify(known, null, 2) : describe(known));
  return exitCode.success;
}

async function printLog(path: string, options: { follow?: boolean; read(address: string): Promise<Response> }): Promise<void> {
  for (let at = 0; ; ) {
    for await (const line of readLines(await options.read(`${path}?from=${at}`))) {
      const { start, data, end, exit } = terminalOutputSchema.parse(JSON.parse(line));
      const bytes = Buffer.from(data, "base64");
      at = start + bytes.length;
      process.stdout.write(toTerminalText(bytes.toString()));
      if (at >= end && (exit !== null || !options.follow)) return;
    }
  }
}

function describe({ state, port, url, exit }: DevServer): string {
  switch (state) {
    case "none":
      return "The dev server of this attempt was not started yet. Start it: skein dev <id> start";
    case "starting":
      return `The dev server is starting; nothing listens on port ${port} yet.`;
    case "listening":
      return `The dev server listens: ${url ?? `port ${port} of its machine`}`;
    case "stopped":
      return "The dev server was stopped.";
    case "exited":
      return exit?.lost
        ? "The dev server ended with its machine, or was killed. Start it again: skein dev <id> start"
        : `The dev server exited (${exit?.startError ?? exit?.exitCode ?? exit?.signal ?? "unknown"}). Its output: skein dev <id> log`;
    default:
      return state satisfies never;
  }
}
