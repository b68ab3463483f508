import type { ImportableSession, ImportSource, ImportSourceInfo } from "@skein/contracts";

/** Sessions that the user has chosen or left out; the others follow `isChosenByDefault`. By source and session. */
export type Choices = ReadonlyMap<string, boolean>;

export const toChoiceKey = (source: ImportSource, id: string): string => `${source} ${id}`;

/** What an import would read. A deleted task is imported again only if the user chooses it. */
export function isImportable({ state }: ImportableSession): boolean {
  return state === "new" || state === "changed" || state === "deleted";
}

function isChosenByDefault({ state, folder }: ImportableSession): boolean {
  return state === "changed" || (state === "new" && folder === "repository");
}

export function isChosen(source: ImportSource, session: ImportableSession, choices: Choices): boolean {
  return isImportable(session) && (choices.get(toChoiceKey(source, session.id)) ?? isChosenByDefault(session));
}

/** What the button imports, per program. */
export function listChosen(
  sources: readonly ImportSourceInfo[],
  choices: Choices,
): { source: ImportSource; sessions: ImportableSession[] }[] {
  return sources
    .map(({ source, sessions }) => ({ source, sessions: sessions.filter((session) => isChosen(source, session, choices)) }))
    .filter(({ sessions }) => sessions.length > 0);
}

/** The choices after all sessions of a program were chosen, or none. */
export function chooseAll({ source, sessions }: ImportSourceInfo, choices: Choices, isOn: boolean): Choices {
  const next = new Map(choices);
  for (const session of sessions) if (session.state !== "deleted" && isImportable(session)) next.set(toChoiceKey(source, session.id), isOn);
  return next;
}
