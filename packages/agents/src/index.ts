export { createClaudeCodeDecoder } from "./claude-code/create-claude-code-decoder.ts";
