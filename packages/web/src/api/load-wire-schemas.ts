import { loadPart } from "./load-part.ts";

export type WireSchemas = typeof import("./wire-schemas.ts");
type LaterWireSchemas = typeof import("./later-wire-schemas.ts");
type TeamWireSchemas = typeof import("./team-wire-schemas.ts");

/** All answers by their names. */
export type AnswerSchemas = WireSchemas["answerSchemas"] & LaterWireSchemas["laterAnswerSchemas"] & TeamWireSchemas["teamAnswerSchemas"];

// Read when a schema is made, so it has to be set before the chunk runs: zod otherwise tries `new Function`, which the page's
// Content-Security-Policy blocks and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The schemas of what a page needs when it opens. */
export const loadWireSchemas = loadOnce(() => import("./wire-schemas.ts"));
const loadLater = loadOnce(() => import("./later-wire-schemas.ts"));
const loadTeam = loadOnce(() => import("./team-wire-schemas.ts"));

/** The schema of an answer. */
export async function loadAnswerSchema(name: keyof AnswerSchemas): Promise<AnswerSchemas[keyof AnswerSchemas]> {
  const { answerSchemas } = await loadWireSchemas();
  if (name in answerSchemas) return answerSchemas[name as keyof typeof answerSchemas];
  if (name.startsWith("team")) return (await loadTeam()).teamAnswerSchemas[name as keyof TeamWireSchemas["teamAnswerSchemas"]];
  return (await loadLater()).laterAnswerSchemas[name as keyof LaterWireSchemas["laterAnswerSchemas"]];
}

/** A failure is not kept. */
function loadOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined;
  return () => {
    loading ??= loadPart(load).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
