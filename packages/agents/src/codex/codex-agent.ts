import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentHint } from "@skein/contracts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";
import { toNetworkRule } from "../driver/to-launch-sandbox.ts";
import { explainCodexFailure, login, notLoggedIn } from "./explain-codex-failure.ts";

/**
 * Codex by its app server, or by `codex exec` if a version has no compatible one.
 *
 * What its permission modes mean for the user:
 * - ask: nothing is run or changed before the user has allowed it, once or permanently. Allowed actions run in Codex's sandbox, which
 * permits writing in the attempt's folder and no network, unless Codex asked to leave it.
 * - accept-edits: Codex works in that sandbox without asking, and asks to leave it: what runs there can only edit files.
 * - full: no sandbox and no questions.
 * With `codex exec` nobody can be asked: then `ask` may only read.
 */
export const codexKind: DrivenAgentKind = {
  id: "codex",
  name: "Codex",
  driver: "codex",
  catalogueIds: ["codex-acp"],
  program: {
    program: "codex",
    install: "npm install -g @openai/codex",
    // in the mode `ask`, older versions run commands that they consider harmless without asking
    leastVersion: "0.149.0",
    findProblem: findLoginProblem,
  },
  environment: [
    "CODEX_*",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_ORGANIZATION",
    "OPENAI_PROJECT",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
  ],
  models: [
    { id: "gpt-6.1-sol", name: "GPT-6.1-Sol", contextWindow: 272_000 },
    { id: "gpt-6.1-terra", name: "GPT-6.1 Terra", contextWindow: 500_000 },
    { id: "gpt-6-luna", name: "GPT-6-Luna", contextWindow: 272_000 },
    { id: "gpt-5.5", name: "GPT-5.5", contextWindow: 272_000 },
  ],
  permissionControl: "sandbox",
  planSupport: "own",
  systemPromptSupport: "new-session-if-offered",
  loadDecoder: async () => (await import("./create-codex-decoder.ts")).createCodexDecoder,
  login,
  sandbox: {
    hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
    home: [
      { path: ".codex", variable: "CODEX_HOME", reads: ["config.toml", "AGENTS.md", "prompts", "skills", "rules"], shares: ["auth.json"] },
    ],
    findHosts: async (environment) => findAddresses(readText(join(findHome(environment), "config.toml"))),
  },
  explainFailure: explainCodexFailure,
};

/**
 * The app server reads no key from the environment. Administrator settings, other providers and system key chains are not checked: Codex
 * reports problems when it starts.
 */
function findLoginProblem(environment: Readonly<Record<string, string>>): AgentHint | undefined {
  const home = findHome(environment);
  if (existsSync(join(home, "auth.json")) || existsSync("/etc/codex")) return undefined;
  return /^\s*(model_provider|oss_provider|profile|cli_auth_credentials_store)\s*=/m.test(readText(join(home, "config.toml")))
    ? undefined
    : notLoggedIn;
}

function findHome(environment: Readonly<Record<string, string>>): string {
  return environment.CODEX_HOME ?? join(environment.HOME ?? homedir(), ".codex");
}

/** The providers that its settings define. */
function findAddresses(config: string): string[] {
  return [...config.matchAll(/^\s*base_url\s*=\s*["']([^"']+)["']/gm)].flatMap(([, address = ""]) => toNetworkRule(address));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
