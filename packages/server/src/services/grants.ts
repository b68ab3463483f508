import { getProject, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { GrantService } from "./trust-services.ts";

/** Lists and revokes permanent permissions. */
export function createGrantService({ storage }: ServiceContext): GrantService {
  return {
    async list(projectId) {
      await getProject(storage.read, projectId);
      const [grants, { isInEffect }] = await Promise.all([storage.read.listGrants({ projectId }), import("@skein/agents/grants")]);
      return grants.map((stored) => ({ ...stored, isInEffect: isInEffect(stored.grant) }));
    },
    remove: (id) =>
      storage.transaction(async (tx) => {
        if (!(await tx.deleteGrant({ id }))) missing("permission-rule", id);
      }),
  };
}
