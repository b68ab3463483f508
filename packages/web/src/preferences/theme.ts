import { useEffect } from "react";
import { useStore } from "../state/external-store.ts";
import { createPreference, usePreference } from "./preference.ts";

// boot.js reads the same keys before the first paint.
export const theme = createPreference("skein.theme", ["system", "light", "dark"]);
export const density = createPreference("skein.density", ["comfortable", "compact"]);
export const motion = createPreference("skein.motion", ["system", "reduced"]);

export const themes = theme.values;
export type Theme = (typeof themes)[number];

export const useTheme = (): [Theme, (theme: Theme) => void] => usePreference(theme);

/** Applies theme, density and motion to the page. Used once, at the top. */
export function useAppearance(): void {
  const chosen = useStore(theme);
  const chosenDensity = useStore(density);
  const chosenMotion = useStore(motion);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const dark = chosen === "dark" || (chosen === "system" && query.matches);
      document.documentElement.dataset.theme = dark ? "dark" : "light";
    };
    apply();
    query.addEventListener("change", apply);
    return () => query.removeEventListener("change", apply);
  }, [chosen]);
  useEffect(() => {
    document.documentElement.dataset.density = chosenDensity;
    document.documentElement.dataset.motion = chosenMotion;
  }, [chosenDensity, chosenMotion]);
}
