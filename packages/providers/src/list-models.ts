import type { ModelInfo } from "@skein/contracts";

/** The models that work on this machine as it is: the first is the default. */
export function listModels(): ModelInfo[] {
  return [
    {
      id: "scripted/demo",
      name: "Demo (built in)",
      description: "Needs no key and no network. Follows a script, and really runs its tools in your repository.",
    },
  ];
}
