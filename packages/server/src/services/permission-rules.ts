import { getProject, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

export function createPermissionRuleService({ storage }: ServiceContext): Services["permissionRules"] {
  return {
    async list(projectId) {
      await getProject(storage.read, projectId);
      const [rules, { isInEffect }] = await Promise.all([storage.read.listPermissionRules({ projectId }), import("@skein/agents/grants")]);
      return rules.map((rule) => ({ ...rule, isInEffect: isInEffect(rule.grant) }));
    },
    remove: (id) =>
      storage.transaction(async (tx) => {
        if (!(await tx.deletePermissionRule({ id }))) missing("permission-rule", id);
      }),
  };
}
