import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentHint, NoticeText } from "@skein/contracts";
import { asObject } from "@skein/engine";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";

const agent = "Claude Code";
export const login = { command: "claude", enter: "/login", variable: "ANTHROPIC_API_KEY" };
export const notLoggedIn: AgentHint = { code: "agent-not-logged-in", agent, login };

/** Variables that give access without a login. */
const accessVariables = /^(ANTHROPIC_(API_KEY|AUTH_TOKEN)|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_USE_\w+)$/;

/** Only if nothing indicates a login; key chains are not checked. */
export function findLoginProblem(environment: Readonly<Record<string, string>>): AgentHint | undefined {
  const hasAccess = Object.entries(environment).some(([name, value]) => value !== "" && accessVariables.test(name));
  if (hasAccess || hasLogin(environment)) return undefined;
  return notLoggedIn;
}

function hasLogin(environment: Readonly<Record<string, string>>): boolean {
  const home = environment.HOME ?? homedir();
  const folder = environment.CLAUDE_CONFIG_DIR ?? join(home, ".claude");
  if (existsSync(join(folder, ".credentials.json"))) return true;
  const account = readObject(environment.CLAUDE_CONFIG_DIR === undefined ? join(home, ".claude.json") : join(folder, ".claude.json"));
  if (account.oauthAccount !== undefined || account.primaryApiKey !== undefined) return true;
  const settings = ["/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json"];
  return [join(folder, "settings.json"), ...settings].some((file) => {
    const { apiKeyHelper, env } = readObject(file);
    return apiKeyHelper !== undefined || Object.keys(asObject(env) ?? {}).some((name) => accessVariables.test(name));
  });
}

function readObject(file: string): JsonObject {
  try {
    const parsed = parseLine(readFileSync(file, "utf8"));
    return parsed.type === "object" ? parsed.value : {};
  } catch {
    return {};
  }
}

/** Its own message names a command of its terminal UI, or no remedy. */
export function explainClaudeCodeFailure(reason: string): NoticeText | undefined {
  if (/run \/login|Invalid API key|OAuth token (has expired|revoked)|authentication_error/i.test(reason)) {
    return { code: "login-rejected", agent, said: reason, login };
  }
  if (/Credit balance is too low/i.test(reason)) {
    return { code: "credit-too-low", said: reason };
  }
  const option = /unknown option '(--[\w-]+)'/.exec(reason)?.[1];
  if (option !== undefined) return { code: "option-unknown", agent, option, install: "npm install -g @anthropic-ai/claude-code" };
  return undefined;
}
