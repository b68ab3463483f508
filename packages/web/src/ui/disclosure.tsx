import { createContext, type ReactNode, useCallback, useContext, useMemo, useSyncExternalStore } from "react";

interface Disclosures {
  get(key: string): boolean | undefined;
  set(key: string, open: boolean): void;
  subscribe(listener: () => void): () => void;
}

const DisclosureContext = createContext<Disclosures | null>(null);

/** What is folded out, kept outside the rows: a row that scrolls away and comes back looks as it was left. */
export function DisclosureProvider({ children }: { children: ReactNode }) {
  const disclosures = useMemo(createDisclosures, []);
  return <DisclosureContext value={disclosures}>{children}</DisclosureContext>;
}

export function useDisclosure(key: string, initial = false): [boolean, (open: boolean) => void] {
  const disclosures = useContext(DisclosureContext);
  if (!disclosures) throw new Error("useDisclosure needs a DisclosureProvider above it");
  const open = useSyncExternalStore(disclosures.subscribe, () => disclosures.get(key)) ?? initial;
  return [open, useCallback((next: boolean) => disclosures.set(key, next), [disclosures, key])];
}

/** Opens what is not drawn yet. */
export function useDiscloser(): (key: string) => void {
  const disclosures = useContext(DisclosureContext);
  return useCallback((key: string) => disclosures?.set(key, true), [disclosures]);
}

/** Whether any of them is open. */
export function useAnyDisclosed(keys: readonly string[]): boolean {
  const disclosures = useContext(DisclosureContext);
  return useSyncExternalStore(disclosures?.subscribe ?? noSubscription, () => keys.some((key) => disclosures?.get(key) === true));
}

const noSubscription = () => () => {};

function createDisclosures(): Disclosures {
  const states = new Map<string, boolean>();
  const listeners = new Set<() => void>();
  return {
    get: (key) => states.get(key),
    set(key, open) {
      states.set(key, open);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
