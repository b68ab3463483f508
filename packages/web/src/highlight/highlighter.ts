import { createDeadlineWorker } from "../worker/deadline-worker.ts";
import type { HighlightAnswer, HighlightRequest } from "./code-token.ts";
import { createHighlightCache } from "./highlight-cache.ts";

const deadlineMs = 5000;

const worker = createDeadlineWorker<HighlightRequest, HighlightAnswer>(
  () => new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
  deadlineMs,
);

/** The colours of a text, line by line; null where there are none. */
export const highlight = createHighlightCache((request) => worker.run(request));
