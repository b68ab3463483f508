export { describeSignIn, type ForgeCredential, findCredential } from "./access/find-credential.ts";
export { createForge, toGitCredential } from "./create-forge.ts";
export type { Forge, ForgeRepository } from "./forge.ts";
export { ForgeError } from "./forge-error.ts";
export { type ForgeHostConfig, type RemoteAddress, recogniseForge } from "./recognise-forge.ts";
