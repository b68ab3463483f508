import type { Actor } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";

/** Who did it; nothing on a server without users. */
export function ByName({ by, className = "" }: { by: Actor | undefined; className?: string }) {
  const { team } = useText();
  if (by === undefined) return null;
  return <span className={`[overflow-wrap:anywhere] ${className}`}>{team.by(by.name)}</span>;
}
