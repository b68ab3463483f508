import type { Paint } from "../terminal/style.ts";

/** What `serve` prints when it is ready. */
export function formatGreeting(facts: { version: string; launchUrl: string; home: string; hasWeb: boolean }, paint: Paint): string {
  const rows = [
    `${paint("bold", `Skein ${facts.version}`)} is ready`,
    "",
    `  Open   ${paint("cyan", facts.launchUrl)}`,
    `  Data   ${facts.home}`,
    "  Stop   Ctrl-C",
  ];
  if (!facts.hasWeb) rows.push("", "The web UI is not built, so only the API is served. `npm start` builds it.");
  return `${rows.join("\n")}\n`;
}
