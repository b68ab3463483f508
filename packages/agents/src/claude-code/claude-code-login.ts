import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { asObject } from "@skein/engine";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";

export const logIn = "Run `claude` in a terminal and log in there (/login), or set ANTHROPIC_API_KEY";

/** Variables that give access without a login. */
const accessVariables = /^(ANTHROPIC_(API_KEY|AUTH_TOKEN)|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_USE_\w+)$/;

/** Only where nothing hints at a login: what is kept in a key chain is not looked for. */
export function findLoginProblem(environment: Readonly<Record<string, string>>): string | undefined {
  const hasAccess = Object.entries(environment).some(([name, value]) => value !== "" && accessVariables.test(name));
  if (hasAccess || hasLogin(environment)) return undefined;
  return `Claude Code is not logged in. ${logIn}.`;
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

/** Its own message names a command of its terminal, or no remedy. */
export function explainClaudeCodeFailure(reason: string): string | undefined {
  if (/run \/login|Invalid API key|OAuth token (has expired|revoked)|authentication_error/i.test(reason)) {
    return `Claude Code has no valid login (“${reason}”). ${logIn}.`;
  }
  if (/Credit balance is too low/i.test(reason)) {
    return `${reason}. Add credit at https://console.anthropic.com, or log in with a subscription: run \`claude\` and type /login.`;
  }
  const option = /unknown option '(--[\w-]+)'/.exec(reason)?.[1];
  if (option !== undefined) return `This Claude Code does not know ${option}: it is too old. Run: npm install -g @anthropic-ai/claude-code`;
  return undefined;
}
