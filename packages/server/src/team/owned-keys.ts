import { type Actor, type Execution, type OwnedKeyName, ownedKeyNameSchema, type ProjectId, userIdSchema } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { createSeal } from "./seal.ts";
import type { TeamService } from "./team-service.ts";
import type { TeamContext } from "./users.ts";

/** Variables by which agents and models find each key. */
const variables: Record<OwnedKeyName, string> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  gemini: "GEMINI_API_KEY",
  "claude-code": "CLAUDE_CODE_OAUTH_TOKEN",
};

export interface OwnedKeys {
  service: TeamService["keys"];
  /** The keys for an execution, by variable: those of the user who sent its message, then those of its project. */
  forExecution(execution: Pick<Execution, "taskId" | "by">): Promise<Record<string, string>>;
  /** The same for what would be sent now. */
  find(of: { projectId: ProjectId | undefined; by: Actor | undefined }): Promise<Record<string, string>>;
  /** Keys that were used since the start, for redaction in logs. */
  listUsed(): string[];
}

/** Keys of projects and users, encrypted with a secret that is not in the database. */
export function createOwnedKeys({ storage, now, secret }: Pick<TeamContext, "storage" | "now"> & { secret: () => string }): OwnedKeys {
  const seal = createSeal(secret);
  const used = new Set<string>();
  const find: OwnedKeys["find"] = async ({ projectId, by }) => {
    // the user's own come last and override the others
    const owners = [projectId, userIdSchema.safeParse(by?.id).data].filter((owner) => owner !== undefined);
    const stored = await storage.read.listSealedKeys({ owners });
    const found: Record<string, string> = {};
    for (const owner of owners) {
      for (const key of stored.filter((one) => one.owner === owner)) {
        const opened = seal.open(key.sealed, `${owner} ${key.name}`);
        if (opened === undefined) throw new ServiceError("unavailable", { code: "key-not-readable", name: key.name });
        used.add(opened);
        found[variables[key.name]] = opened;
      }
    }
    return found;
  };
  return {
    service: {
      async list(owner) {
        const stored = await storage.read.listSealedKeys({ owners: [owner] });
        return ownedKeyNameSchema.options.map((name) => {
          const key = stored.find((one) => one.name === name);
          return { name, isSet: key !== undefined, updatedAt: key?.updatedAt ?? null };
        });
      },
      async set(owner, name, key) {
        const at = now();
        const sealed = key === null ? null : seal.close(key, `${owner} ${name}`);
        await storage.transaction((tx) => tx.putSealedKey({ owner, name, sealed, updatedAt: at }));
        return { name, isSet: key !== null, updatedAt: key === null ? null : at };
      },
    },
    async forExecution({ taskId, by }) {
      return find({ projectId: (await storage.read.findTask({ id: taskId }))?.projectId, by });
    },
    find,
    listUsed: () => [...used],
  };
}
