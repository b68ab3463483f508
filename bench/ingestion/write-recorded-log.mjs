import { closeSync, openSync, writeSync } from "node:fs";
import { encodeRecordLine, logVersion } from "@skein/contracts/record-frame";

const words =
  "the a request handler reads parses writes session token cache userId getUserById parseStrictEmailAddress src packages server index error test fails because value returns undefined when list is empty so we check it first const await import export function interface result message event storage query commit order".split(
    " ",
  );

/**
 * Writes the execution log of a Claude Code session with `lines` lines: turns of one text, two tool calls side by side and their
 * results, about 1 kB a line, like the recordings. The same lines every time.
 */
export function writeRecordedLog(folder, { lines }) {
  const random = createRandom(7);
  const say = (count) => Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(" ");
  const ids = { session_id: "7a228d73-64c1-42ce-8bed-cef74947ff7d", parent_tool_use_id: null };
  const uuid = (n) => `5672a39a-c534-40f7-91ea-${n.toString(16).padStart(12, "0")}`;
  const [log, times] = [openSync(folder.log, "w"), openSync(folder.times, "w")];
  let offset = 0;
  const write = (texts) => {
    writeSync(times, toTimesEntry(offset));
    offset += writeSync(log, `${texts.join("\n")}\n`);
  };
  write([encodeRecordLine({ type: "log", version: logVersion }), encodeRecordLine({ type: "agent-started" })]);
  write([
    JSON.stringify({ type: "system", subtype: "init", cwd: "/workspace", tools: ["Bash", "Read"], model: "claude-sonnet-4", ...ids }),
  ]);

  const assistant = (turn, part, block) => {
    const usage = { input_tokens: 54, cache_creation_input_tokens: 0, cache_read_input_tokens: 1000, output_tokens: 45 };
    const message = { id: `msg_${turn}`, type: "message", role: "assistant", model: "claude-sonnet-4", content: [block], usage };
    return JSON.stringify({ type: "assistant", message: { ...message, stop_reason: null }, ...ids, uuid: uuid(turn * 10 + part) });
  };
  const result = (turn, part, id, content, tool_use_result) => {
    const message = { role: "user", content: [{ tool_use_id: id, type: "tool_result", content }] };
    return JSON.stringify({ type: "user", message, ...ids, uuid: uuid(turn * 10 + part), tool_use_result });
  };
  const toTurn = (turn) => {
    const [bash, read] = [`toolu_b${turn}`, `toolu_r${turn}`];
    const file_path = `/workspace/src/file-${turn % 977}.ts`;
    const printed = Array.from({ length: 8 }, () => say(10)).join("\n");
    const text = Array.from({ length: 12 }, () => say(8)).join("\n");
    return [
      assistant(turn, 1, { type: "text", text: turn % 5 === 0 ? `${say(50)} 修复登录测试中的函数` : say(60) }),
      assistant(turn, 2, { type: "tool_use", id: bash, name: "Bash", input: { command: `grep -rn "${say(2)}" src`, description: say(5) } }),
      assistant(turn, 3, { type: "tool_use", id: read, name: "Read", input: { file_path } }),
      result(turn, 4, bash, printed, { stdout: printed, stderr: "", interrupted: false, isImage: false }),
      result(turn, 5, read, text, {
        type: "text",
        file: { filePath: file_path, content: text, numLines: 12, startLine: 1, totalLines: 12 },
      }),
    ];
  };
  for (let turn = 0; turn * 5 < lines; turn++) write(toTurn(turn).slice(0, lines - turn * 5));
  closeSync(log);
  closeSync(times);
}

/** As the runner writes it: output from this offset on arrived at this time. */
function toTimesEntry(offset) {
  const entry = Buffer.alloc(16);
  entry.writeBigUInt64LE(BigInt(offset));
  entry.writeDoubleLE(1_700_000_000_000 + offset, 8);
  return entry;
}

/** Small and repeatable (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
