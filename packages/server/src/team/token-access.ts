import type { ApiToken, ProjectId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";
import type { Services } from "../services/services.ts";
import { createAgentRules } from "./agent-rules.ts";
import { createIdentify } from "./identify.ts";
import { restrictServices } from "./restrict-services.ts";
import { openTaskProjects } from "./task-projects.ts";
import type { TokenService } from "./team-service.ts";
import { createTokenService } from "./tokens.ts";
import { type TokenCaller, toViewer, type UserCaller } from "./viewer.ts";

/** Requests with API tokens: who sends them, and what they may see. */
export interface TokenAccess {
  byToken(token: string): Promise<UserCaller | TokenCaller | undefined>;
  /** Whether a token is still valid. */
  isOpen(token: ApiToken): Promise<boolean>;
  locateProjects(ids: readonly string[]): Promise<Map<string, ProjectId>>;
  /** The services as this caller sees them. */
  servicesFor(caller: UserCaller | TokenCaller): Services;
  tokens: TokenService;
}

/** For a server without users. Loaded with the first API token. */
export async function createTokenAccess(context: {
  storage: Storage;
  hub: EventHub;
  services: Services;
  logger: Logger;
  now: () => number;
}): Promise<TokenAccess> {
  const { storage, services } = context;
  const tasks = await openTaskProjects(context);
  const identify = createIdentify({ ...context, hasUsers: false });
  const rules = createAgentRules(storage);
  return {
    byToken: identify.byToken,
    isOpen: identify.isOpen,
    locateProjects: (ids) => storage.read.locateProjects({ ids }),
    servicesFor: (caller) => restrictServices(services, toViewer(caller), tasks, rules),
    tokens: createTokenService(context),
  };
}
