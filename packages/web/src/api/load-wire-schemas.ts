import { loadPart } from "./load-part.ts";

export type WireSchemas = typeof import("./wire-schemas.ts");

// Read when a schema is made, so it has to be set before the chunk runs: zod otherwise tries `new Function`, which the page's
// Content-Security-Policy blocks and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

let loading: Promise<WireSchemas> | undefined;

/** The schemas of everything that the server sends. Loaded once; a failure is not kept. */
export function loadWireSchemas(): Promise<WireSchemas> {
  loading ??= loadPart(() => import("./wire-schemas.ts")).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
