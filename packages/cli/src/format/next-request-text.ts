import type { BuiltRequest, CompressionForecast, NextRequest } from "@skein/contracts";
import type { Paint } from "../terminal/style.ts";
import { toRevealedLine, toTerminalText } from "../terminal/terminal-text.ts";
import { formatTable } from "./table.ts";

const stepNames: Record<BuiltRequest["steps"][number]["step"], string> = {
  compression: "After compression",
  filtering: "After filtering",
  "tool-pairs": "After orphaned tool fix",
  "system-prompts": "After system prompts",
  validation: "Validation passed",
};

const partNames: Record<BuiltRequest["parts"][number]["part"], string> = {
  system: "System prompt",
  tools: "Tools",
  summary: "Summary",
  user: "User messages",
  assistant: "Assistant messages",
  tool: "Tool results",
};

const figure = (value: number): string => value.toLocaleString("en-US");

function describeForecast(forecast: CompressionForecast): string {
  if (forecast.type === "summarize") {
    const { messages, tokens, keptMessages, replacesSummary } = forecast;
    const replaced = `${figure(messages)} messages${replacesSummary ? " and the current summary" : ""} (about ${figure(tokens)} tokens)`;
    return `Compressed before it is sent: a new summary replaces ${replaced}. ${figure(keptMessages)} messages stay.`;
  }
  const { outputs, tokensBefore, tokensAfter, fits } = forecast;
  const effect = `${figure(outputs)} old tool outputs are left out (${figure(tokensBefore)} → ${figure(tokensAfter)} tokens)`;
  if (outputs === 0) return "Too long for the model, and there is no old tool output to leave out.";
  return `Shortened before it is sent: ${effect}.${fits ? "" : " It is still too long for the model."}`;
}

/** The next request as a few small tables; `--json` prints the body itself. */
export function formatNextRequest(request: NextRequest, paint: Paint): string {
  if (request.type === "transcript") {
    const { agentName, transcript, tokens } = request;
    const about = `${agentName} builds its requests itself, so Skein cannot show them.`;
    if (transcript === null) return `${about} This attempt has no messages yet.`;
    return `${about} This is the transcript that a new session starts from (about ${figure(tokens)} tokens):\n\n${toTerminalText(transcript)}`;
  }
  const { parts, tokens, window, steps, tools, unknownMcpServers } = request;
  const share = (part: number): string => `${((part / window) * 100).toFixed(1)} %`;
  const rows = parts.map((part) => [partNames[part.part], figure(part.count), figure(part.tokens), share(part.tokens)]);
  return [
    paint("bold", `Next request to ${toRevealedLine(request.model)} (${request.provider})`),
    formatTable(
      ["STEP", "MESSAGES"],
      steps.map(({ step, messages }) => [stepNames[step], figure(messages)]),
    ),
    formatTable(
      ["PART", "COUNT", "TOKENS", "OF THE WINDOW"],
      [...rows, ["Total", "", figure(tokens), `${share(tokens)} of ${figure(window)}`]],
    ),
    ...(request.compression === null ? [] : [describeForecast(request.compression)]),
    `Tools: ${tools.map(({ name }) => toRevealedLine(name)).join(", ")}`,
    ...(unknownMcpServers.length === 0
      ? []
      : [`Not included, because no execution has used them yet: tools of ${unknownMcpServers.map(toRevealedLine).join(", ")}.`]),
    "Tokens are estimates. --json prints the system prompt, the tools and the whole body.",
  ].join("\n\n");
}
