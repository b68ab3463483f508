import { useCallback, useEffect, useState } from "react";
import { readStored, writeStored } from "./stored-value.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

// public/theme.js reads the same key before the first paint.
const storageKey = "skein.theme";

function readTheme(): Theme {
  const stored = readStored(storageKey);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setState] = useState(readTheme);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const dark = theme === "dark" || (theme === "system" && query.matches);
      document.documentElement.dataset.theme = dark ? "dark" : "light";
    };
    apply();
    query.addEventListener("change", apply);
    return () => query.removeEventListener("change", apply);
  }, [theme]);
  const setTheme = useCallback((next: Theme) => {
    writeStored(storageKey, next === "system" ? null : next);
    setState(next);
  }, []);
  return [theme, setTheme];
}
