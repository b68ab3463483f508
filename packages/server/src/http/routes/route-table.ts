import type { Route } from "../route.ts";
import { accountRoutes } from "./account-routes.ts";
import { agentRoutes } from "./agent-routes.ts";
import { attemptRoutes } from "./attempt-routes.ts";
import { branchRoutes } from "./branch-routes.ts";
import { checkRoutes } from "./check-routes.ts";
import { cleanRoutes } from "./clean-routes.ts";
import { commandRoutes } from "./command-routes.ts";
import { fileRoutes } from "./file-routes.ts";
import { folderRoutes } from "./folder-routes.ts";
import { heldRoutes } from "./held-routes.ts";
import { hookRoutes } from "./hook-routes.ts";
import { importRoutes } from "./import-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import { mcpEndpointRoutes } from "./mcp-endpoint-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { nodeRoutes } from "./node-routes.ts";
import { projectRoutes } from "./project-routes.ts";
import { pullRequestRoutes } from "./pull-request-routes.ts";
import { quarantineRoutes } from "./quarantine-routes.ts";
import { raceRoutes } from "./race-routes.ts";
import { repositoryRoutes } from "./repository-routes.ts";
import { reviewRoutes } from "./review-routes.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { systemRoutes } from "./system-routes.ts";
import { taskRoutes } from "./task-routes.ts";
import { templateRoutes } from "./template-routes.ts";
import { terminalRoutes } from "./terminal-routes.ts";
import { userRoutes } from "./user-routes.ts";
import { waitingRoutes } from "./waiting-routes.ts";
import { workerRoutes } from "./worker-routes.ts";

/** Every route under /api, and /mcp. */
export const routeTable: readonly Route[] = [
  ...systemRoutes,
  ...agentRoutes,
  ...projectRoutes,
  ...taskRoutes,
  ...attemptRoutes,
  ...checkRoutes,
  ...terminalRoutes,
  ...reviewRoutes,
  ...branchRoutes,
  ...pullRequestRoutes,
  ...commandRoutes,
  ...raceRoutes,
  ...templateRoutes,
  ...scheduleRoutes,
  ...hookRoutes,
  ...waitingRoutes,
  ...heldRoutes,
  ...fileRoutes,
  ...folderRoutes,
  ...mcpRoutes,
  ...mcpEndpointRoutes,
  ...settingsRoutes,
  ...repositoryRoutes,
  ...quarantineRoutes,
  ...signInRoutes,
  ...accountRoutes,
  ...memberRoutes,
  ...userRoutes,
  ...workerRoutes,
  ...importRoutes,
  ...nodeRoutes,
  ...jobRoutes,
  ...cleanRoutes,
];
