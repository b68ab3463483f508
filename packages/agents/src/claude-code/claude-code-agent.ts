import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";
import { explainClaudeCodeFailure, findLoginProblem, login } from "./claude-code-login.ts";
import { findSessionPoint } from "./session-point.ts";

/** Anthropic's `claude`, driven as its own SDK does. */
export const claudeCodeAgent: DrivenAgentKind = {
  id: "claude-code",
  name: "Claude Code",
  driver: "claude-code",
  catalogueIds: ["claude-code-acp", "claude-acp"],
  findSessionPoint,
  program: {
    program: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    leastVersion: "1.0.128",
    findProblem: findLoginProblem,
  },
  // Only the `CLAUDE_CODE_*` variables that are meant for every session: others may come from a Claude Code that started Skein.
  environment: [
    "ANTHROPIC_*",
    "API_TIMEOUT_MS",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_REGION",
    "BASH_DEFAULT_TIMEOUT_MS",
    "BASH_MAX_OUTPUT_LENGTH",
    "BASH_MAX_TIMEOUT_MS",
    "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
    "CLAUDE_CODE_CERT_STORE",
    "CLAUDE_CODE_CLIENT_*",
    "CLAUDE_CODE_DISABLE_*",
    "CLAUDE_CODE_EFFORT_LEVEL",
    "CLAUDE_CODE_MAX_*",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_SKIP_*",
    "CLAUDE_CODE_SUBAGENT_MODEL",
    "CLAUDE_CODE_USE_*",
    "CLAUDE_CONFIG_DIR",
    "CLOUD_ML_REGION",
    "DISABLE_*",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "IS_SANDBOX",
    "MAX_MCP_OUTPUT_TOKENS",
    "MAX_THINKING_TOKENS",
    "MCP_TIMEOUT",
    "MCP_TOOL_TIMEOUT",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "VERTEX_REGION_*",
    "http_proxy",
    "https_proxy",
    "no_proxy",
  ],
  // commands start in the attempt's folder: grants are judged relative to it
  fixedEnvironment: { CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: "1" },
  // aliases that every account has; their meaning changes with the version
  models: [
    { id: "opus", name: "Opus", description: "For everyday and complex tasks" },
    { id: "fable", name: "Fable", description: "For the hardest and longest tasks" },
    { id: "sonnet", name: "Sonnet", description: "For routine tasks" },
    { id: "haiku", name: "Haiku", description: "The fastest, for quick answers" },
  ],
  permissionControl: "asks",
  planSupport: "own",
  systemPromptSupport: "next-message",
  loadDecoder: async () => (await import("./create-claude-code-decoder.ts")).createClaudeCodeDecoder,
  login,
  sandbox: {
    hosts: ["api.anthropic.com", "platform.claude.com", "console.anthropic.com", "claude.ai"],
    home: [
      {
        path: ".claude",
        variable: "CLAUDE_CONFIG_DIR",
        reads: ["settings.json", "settings.local.json", "CLAUDE.md", "agents", "commands", "skills", "plugins", "output-styles"],
        shares: [".credentials.json"],
      },
      { path: ".claude.json", isFile: true },
    ],
  },
  explainFailure: explainClaudeCodeFailure,
};
