const key = "skein.inbox-place";

export interface InboxPlace {
  chosen: string | null;
  /** What was listed then: when the chosen one is gone, the one after it takes its place. */
  listed: readonly string[];
  scrollTop: number;
}

/** Where the inbox was left, for as long as the tab lives. */
export const inboxPlace = {
  read(): InboxPlace {
    try {
      const { chosen, listed, scrollTop } = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Record<string, unknown>;
      return {
        chosen: typeof chosen === "string" ? chosen : null,
        listed: Array.isArray(listed) ? listed.filter((id) => typeof id === "string") : [],
        scrollTop: typeof scrollTop === "number" ? scrollTop : 0,
      };
    } catch {
      return { chosen: null, listed: [], scrollTop: 0 };
    }
  },
  write(place: InboxPlace): void {
    try {
      sessionStorage.setItem(key, JSON.stringify(place));
    } catch {
      // without storage the inbox begins at its top
    }
  },
};
