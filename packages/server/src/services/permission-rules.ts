import { getProject, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

export function createPermissionRuleService({ storage }: ServiceContext): Services["permissionRules"] {
  return {
    async list(projectId) {
      await getProject(storage.read, projectId);
      return storage.read.listPermissionRules({ projectId });
    },
    remove: (id) =>
      storage.transaction(async (tx) => {
        if (!(await tx.deletePermissionRule({ id }))) missing("permission rule", id);
      }),
  };
}
