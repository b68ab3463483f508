/**
 * Copilot CLI reports what happens to its requests as text of the assistant, each report in a chunk of its own, and calls a
 * prompt whose requests all failed a regular end.
 */
export type CopilotWords = { type: "retry" } | { type: "created" } | { type: "failure"; reason: string };

const failure = /^Error: (Failed to get response from the AI model|Could not connect to |Authentication failed|[^\n]{0,300}\bHTTP \d{3}\b)/;

export function readCopilotWords(text: string): CopilotWords | undefined {
  if (/^Info: (?:Request failed|Response was interrupted)\b[^\n]{0,300}\bRetrying\b/.test(text)) return { type: "retry" };
  // said of a file that it creates, which has a card
  if (/^Info: (?:\/|[A-Za-z]:\\)[^\n]{1,4096}$/.test(text)) return { type: "created" };
  return failure.test(text) ? { type: "failure", reason: text.slice("Error: ".length).replace(/\s*\n\s*/g, " ") } : undefined;
}
