/*
 * Replays a recording of Claude Code; it is started as Claude Code is. The first message names the recording: `play <name>`.
 * It continues only when it gets the same input as the recorded program, at the same place.
 *
 * `lose <name>` does not know the session that it should resume, and then replays the recording in a new one.
 */
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

interface Line {
  type: string;
  request_id?: string;
  request?: { subtype: string };
  response?: { request_id: string; response?: { behavior: string; updatedInput?: unknown } };
  message?: { content: { text: string }[] };
}

const folder = new URL("../../packages/agents/src/claude-code/__fixtures__/", import.meta.url);
if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}

const heard: Line[] = [];
let wake = (): void => {};
let isClosed = false;
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  heard.push(JSON.parse(line));
  wake();
});
input.on("close", () => {
  isClosed = true;
  wake();
});

async function hear(isIt: (line: Line) => boolean): Promise<Line | undefined> {
  for (;;) {
    const index = heard.findIndex(isIt);
    if (index !== -1) return heard.splice(index, 1)[0];
    if (isClosed) return undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

const first = await hear(({ type }) => type === "user");
const [, verb, name = ""] = /(play|lose) (\S+)\s*$/.exec(first?.message?.content.at(-1)?.text ?? "") ?? [];
const session = process.argv.find((argument) => argument.startsWith("--resume="))?.slice("--resume=".length);
if (verb === "lose" && session !== undefined) {
  const recorded = new URL(`${name.replace(/-.*/, "")}-sess-8-unknown.ndjson`, folder);
  process.stdout.write(existsSync(recorded) ? readFileSync(recorded) : "");
  console.error(`No conversation found with session ID: ${session}`);
  process.exit(1);
}

const both = new URL(`${name}.bidi.ndjson`, folder);
const text = readFileSync(existsSync(both) ? both : new URL(`${name}.ndjson`, folder), "utf8");
let hasMessage = false;
for (const line of text.split("\n").filter((one) => one !== "")) {
  if (!existsSync(both)) process.stdout.write(`${line}\n`);
  else await play(JSON.parse(line));
}
while (!isClosed) await new Promise<void>((resolve) => (wake = resolve));
process.exit(readExitCode(text));

async function play({ dir, msg }: { dir: "stdin" | "stdout"; msg?: Line }): Promise<void> {
  if (msg === undefined) return;
  if (dir === "stdout") process.stdout.write(`${JSON.stringify(msg)}\n`);
  else if (msg.type === "control_response") await hear(({ response }) => isSameAnswer(response, msg.response));
  else if (msg.type === "control_request") await hear(({ request }) => request?.subtype === msg.request?.subtype);
  else if (hasMessage) await hear(({ type }) => type === "user");
  else hasMessage = true;
}

/** The text of a denial is ours. */
function isSameAnswer(ours: Line["response"], recorded: Line["response"]): boolean {
  const { behavior, updatedInput } = recorded?.response ?? {};
  const isSame = ours?.response?.behavior === behavior && isDeepStrictEqual(ours?.response?.updatedInput, updatedInput);
  return ours?.request_id === recorded?.request_id && isSame;
}

/** As every version does: 1 when the last result is an error. */
function readExitCode(recording: string): number {
  return /"is_error":true[^\n]*"type":"result"|"type":"result"[^\n]*"is_error":true/.test(recording.trimEnd().split("\n").at(-1) ?? "")
    ? 1
    : 0;
}
