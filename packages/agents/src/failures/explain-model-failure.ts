import type { NoticeText } from "@skein/contracts";
import { toOneLine, truncateCodePoints } from "@skein/engine";

/** The kinds of failures between an agent and its model. */
export type ModelFailure = "credentials" | "quota" | "rate-limit" | "server" | "network";

const maxQuoteLength = 240;

/** A number counts as a status only if the text says so: “500 lines” is not a server error. */
const status = (codes: string): RegExp =>
  new RegExp(`(?:^|\\b(?:HTTP|status|code|error|rejected|failed)\\b[^\\w\\n]{0,4}(?:code\\W{0,3})?)(?:${codes})\\b`, "i");

/** In this order: a quota is often reported with the status of a rate limit, and Gemini's rate limits with the words of a quota. */
const signs: readonly [ModelFailure, readonly RegExp[]][] = [
  ["rate-limit", [/\bquota\b[\s\S]{0,2000}\bretry in \d/i]],
  [
    "quota",
    [/insufficient_quota|exceeded your (?:current )?quota|quota (?:exceeded|exhausted)|usage limit|credit balance|out of credits/i],
  ],
  [
    "credentials",
    [
      status("401"),
      /(?:invalid|incorrect|expired|missing) (?:x-)?api.?key|api key (?:not valid|is invalid)|API_KEY_INVALID/i,
      /UNAUTHENTICATED|\bunauthori[sz]ed\b|authentication[ _](?:required|failed|error)|invalid authentication/i,
    ],
  ],
  ["rate-limit", [status("429"), /(?<![/\\-])rate.?limit(?!er)|too many requests|RESOURCE_EXHAUSTED/i]],
  ["network", [/\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|AI_AGAIN|PIPE)\b|getaddrinfo|fetch failed|socket hang up/i]],
  ["network", [/(?:network|connection) (?:error|refused|reset|failed)|unable to connect|could not connect|stream disconnected/i]],
  [
    "server",
    [
      status("5\\d\\d"),
      /internal server error|bad gateway|service unavailable|overloaded|high demand|server_error|server had an error|internal error has occurred/i,
    ],
  ],
];

export function findModelFailure(reason: string): ModelFailure | undefined {
  return signs.find(([, patterns]) => patterns.some((pattern) => pattern.test(reason)))?.[0];
}

/** A command to run, what to enter there, a variable for a key. */
export type AgentLogin = { command?: string; enter?: string; variable?: string };

export interface FailingAgent {
  name: string;
  /** How the user logs in. */
  login?: AgentLogin | undefined;
  /** The base URL of the agent's requests, if it is not its provider's own. */
  gateway?: string | undefined;
}

/** Explains what failed and what to do; undefined if it is not a failure of a model API. */
export function explainModelFailure(reason: string, agent: FailingAgent): NoticeText | undefined {
  const failure = findModelFailure(reason);
  return failure === undefined ? undefined : toFailureText(failure, reason, agent);
}

/** The same for a failure whose kind is known. */
export function toFailureText(failure: ModelFailure, reason: string, { name: agent, login, gateway }: FailingAgent): NoticeText {
  const said = toQuote(reason);
  switch (failure) {
    case "credentials":
      if (gateway !== undefined) return { code: "key-rejected", agent, gateway, said };
      return { code: "login-rejected", agent, said, ...(login === undefined ? {} : { login }) };
    case "quota":
      return { code: "no-quota", agent, said };
    case "rate-limit":
      return { code: "rate-limited", agent, said };
    case "server":
      return { code: "provider-failed", said };
    case "network":
      return { code: "model-unreachable", agent, said };
  }
}

const ownHosts = /(?:^|\.)(?:anthropic\.com|openai\.com|chatgpt\.com|googleapis\.com|github\.com|githubcopilot\.com|opencode\.ai)$/;

/** The URL that a failure names, or that a variable such as ANTHROPIC_BASE_URL sets; undefined for a provider's own. */
export function findGateway(reason: string, environment: Readonly<Record<string, string>>): string | undefined {
  const [, named] = /\b(?:url|provider at|endpoint):? (https?:\/\/[^\s,)]{1,300})/.exec(reason) ?? [];
  const set = Object.entries(environment).flatMap(([name, value]) => (/_BASE_URL$/.test(name) ? [value] : []));
  const found = named === undefined ? set : [named];
  return found.map(toGateway).find((gateway) => gateway !== undefined);
}

function toGateway(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, hostname, host } = new URL(value);
  return /^https?:$/.test(protocol) && !ownHosts.test(hostname) ? host : undefined;
}

function toQuote(reason: string): string {
  return truncateCodePoints(toOneLine(reason), maxQuoteLength).replace(/[.\s]+$/, "");
}
