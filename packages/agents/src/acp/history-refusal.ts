import { RequestError } from "@agentclientprotocol/sdk";

/** How the APIs of models say that calls and results of a conversation do not belong together. */
const complaints = [
  /function (?:call|response) (?:parts|turn)/i,
  /thought[ _]signature/i,
  /tool_(?:use|result|calls?)\b/i,
  /no tool (?:call|output) found/i,
];

/**
 * True when a prompt was refused because of the history that the agent sent with it. Every further prompt in that session
 * would be refused as well: Gemini CLI opens sessions with tool calls again in a form that its own API rejects.
 */
export function isHistoryRefusal(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const text = `${error.message} ${JSON.stringify(error.data ?? "")}`;
  return complaints.some((complaint) => complaint.test(text));
}
