import { RequestError } from "@agentclientprotocol/sdk";

/** Error messages of model APIs for a conversation whose calls and results do not match. */
const complaints = [
  /function (?:call|response) (?:parts|turn)/i,
  /thought[ _]signature/i,
  /tool_(?:use|result|calls?)\b/i,
  /no tool (?:call|output) found/i,
];

/**
 * True if the prompt was rejected because of the history that the agent sent with it. Every further prompt in that session would be
 * rejected, too: Gemini CLI restores sessions with tool calls in a form that its own API rejects.
 */
export function isHistoryRefusal(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const text = `${error.message} ${JSON.stringify(error.data ?? "")}`;
  return complaints.some((complaint) => complaint.test(text));
}
