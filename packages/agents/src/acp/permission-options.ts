import type { ApprovalDecision } from "@skein/contracts";
import { arrayField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

const kinds: Readonly<Record<ApprovalDecision, readonly string[]>> = {
  allow: ["allow_once", "allow_always"],
  "allow-always": ["allow_always", "allow_once"],
  deny: ["reject_once", "reject_always"],
};

/** Maps decisions to the agent's options: an answer must name one of them. */
export type PermissionOptions = Partial<Record<ApprovalDecision, string>>;

export function toPermissionOptions(params: JsonObject): PermissionOptions {
  const options = arrayField(params, "options") ?? [];
  const found: PermissionOptions = {};
  for (const decision of Object.keys(kinds) as ApprovalDecision[]) {
    const [optionId] = kinds[decision].flatMap((kind) => {
      const option = options.find((candidate) => stringField(candidate, "kind") === kind);
      return stringField(option, "optionId") ?? [];
    });
    if (optionId !== undefined) found[decision] = optionId;
  }
  return found;
}
