import { createContext, type ReactNode, useCallback, useContext, useMemo, useSyncExternalStore } from "react";

export interface Disclosures {
  get(key: string): boolean | number | undefined;
  set(key: string, value: boolean | number): void;
  /** Sets many at once, with one notification. */
  setAll(keys: readonly string[], value: boolean): void;
  subscribe(listener: () => void): () => void;
}

const DisclosureContext = createContext<Disclosures | null>(null);

/**
 * What is expanded, kept outside the rows: a row that scrolls away and comes back looks as it was left. `disclosures` that are
 * passed in also outlive the provider.
 */
export function DisclosureProvider({ children, disclosures }: { children: ReactNode; disclosures?: Disclosures }) {
  const own = useMemo(createDisclosures, []);
  return <DisclosureContext value={disclosures ?? own}>{children}</DisclosureContext>;
}

export function useDisclosure(key: string, initial = false): [boolean, (open: boolean) => void] {
  const disclosures = useContext(DisclosureContext);
  if (!disclosures) throw new Error("useDisclosure needs a DisclosureProvider above it");
  const open = useSyncExternalStore(disclosures.subscribe, () => disclosures.get(key)) ?? initial;
  return [open === true, useCallback((next: boolean) => disclosures.set(key, next), [disclosures, key])];
}

/** How many parts of something long are shown, from 1, and what shows one more. */
export function useShownParts(key: string): [number, () => void] {
  const disclosures = useContext(DisclosureContext);
  if (!disclosures) throw new Error("useShownParts needs a DisclosureProvider above it");
  const name = `${key}:parts`;
  const parts = useSyncExternalStore(disclosures.subscribe, () => disclosures.get(name));
  const shown = typeof parts === "number" ? parts : 1;
  return [shown, useCallback(() => disclosures.set(name, shown + 1), [disclosures, name, shown])];
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

/** Those of them that are open. The set stays the same while they do. */
export function useDisclosedKeys(keys: readonly string[]): ReadonlySet<string> {
  const disclosures = useContext(DisclosureContext);
  const open = useSyncExternalStore(disclosures?.subscribe ?? noSubscription, () =>
    JSON.stringify(keys.filter((key) => disclosures?.get(key) === true)),
  );
  return useMemo(() => new Set(JSON.parse(open) as string[]), [open]);
}

const noSubscription = () => () => {};

export function createDisclosures(): Disclosures {
  const states = new Map<string, boolean | number>();
  const listeners = new Set<() => void>();
  return {
    get: (key) => states.get(key),
    set(key, value) {
      states.set(key, value);
      for (const listener of listeners) listener();
    },
    setAll(keys, value) {
      for (const key of keys) states.set(key, value);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
