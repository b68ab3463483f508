/** The hooks that git runs with an operation, in its order. */
const hooksOf = {
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  push: ["pre-push"],
} as const;

/** An operation that runs hooks of the repository. */
export type HookedOperation = keyof typeof hooksOf;

/** Whether git runs the hook of this name with the operation. */
export function isHookOf(operation: HookedOperation, hook: string): boolean {
  return (hooksOf[operation] as readonly string[]).includes(hook);
}
