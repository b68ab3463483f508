export { checkSandboxSupport } from "@skein/agents/sandbox-support";
