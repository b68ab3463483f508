/**
 * Copilot CLI reports the state of its model requests as assistant text, one chunk per report, and ends a prompt normally
 * even if all of its requests failed.
 */
export type CopilotReport = { type: "retry" } | { type: "created" } | { type: "failure"; reason: string };

const failure = /^Error: (Failed to get response from the AI model|Could not connect to |Authentication failed|[^\n]{0,300}\bHTTP \d{3}\b)/;

export function readCopilotReport(text: string): CopilotReport | undefined {
  if (/^Info: (?:Request failed|Response was interrupted)\b[^\n]{0,300}\bRetrying\b/.test(text)) return { type: "retry" };
  // a created file, which has a card already
  if (/^Info: (?:\/|[A-Za-z]:\\)[^\n]{1,4096}$/.test(text)) return { type: "created" };
  return failure.test(text) ? { type: "failure", reason: text.slice("Error: ".length).replace(/\s*\n\s*/g, " ") } : undefined;
}
