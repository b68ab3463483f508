import type { AgentOutput, JsonValue } from "@skein/contracts";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { readTwoWayRecording, toLogLines } from "../recordings/read-recording.fixture.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";

/* Lines of an ACP agent's log, and a decoder to play them with. */

export const play = (...lines: object[]) => playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createAcpDecoder);
export const playRecording = (name: string) => playLines(readTwoWayRecording("acp", `${name}.ndjson`), createAcpDecoder);
export const update = (body: object) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: body } });
export const chunk = (text: string, kind = "agent_message_chunk") => update({ sessionUpdate: kind, content: { type: "text", text } });
export const call = (fields: object) => update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "other", ...fields });
export const callUpdate = (fields: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "c", ...fields });
export const prompt = { jsonrpc: "2.0", id: 3, method: "session/prompt", params: { sessionId: "s", prompt: [] } };
export const answer = (result: JsonValue, id = 3) => ({ jsonrpc: "2.0", id, result });
export const permission = (toolCall: object) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "session/request_permission",
  params: {
    toolCall: { toolCallId: "c", title: "Look", kind: "other", ...toolCall },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  },
});
export const ends = (outputs: readonly AgentOutput[]) => outputs.filter((output) => output.type === "end");
