import type { StartForm } from "@skein/contracts";

/** Everything but the prompt as the settings say. */
export const emptyStartForm: StartForm = {
  ...{ prompt: "", title: null, agent: null, model: null, permissionMode: null, sandbox: null, baseBranch: null },
};
