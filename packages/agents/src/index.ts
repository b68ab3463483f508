export { type AcpDecoderOptions, createAcpDecoder } from "./acp/create-acp-decoder.ts";
export { createClaudeCodeDecoder } from "./claude-code/create-claude-code-decoder.ts";
export { createCodexAppServerDecoder } from "./codex/create-codex-app-server-decoder.ts";
export { type CodexExecDecoderOptions, createCodexExecDecoder } from "./codex/create-codex-exec-decoder.ts";
export { listCommands, type ProjectCommand } from "./instructions/list-commands.ts";
export { createNativeAgent, type NativeAgentOptions } from "./native/create-native-agent.ts";
export { encodeNativeControl, type NativeControl, nativeControlSchema } from "./native/native-control.ts";
export { type NativeOrder, nativeOrderSchema } from "./native/native-input.ts";
