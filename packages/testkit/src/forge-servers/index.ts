export { runHttpBackend } from "./git-http-backend.ts";
export { type ForgeServer, startForgeServer } from "./start-forge-server.ts";
