import { loadPart } from "./load-part.ts";

export type WireSchemas = typeof import("./wire-schemas.ts");

let loading: Promise<WireSchemas> | undefined;

/** The schemas of everything that the server sends. Loaded once; a failure is not kept. */
export function loadWireSchemas(): Promise<WireSchemas> {
  loading ??= loadPart(() => import("./wire-schemas.ts")).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
