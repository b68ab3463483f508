import { realpathSync } from "node:fs";

/** The path of the data dir without symbolic links: the database stores it, to notice that the data dir was moved. */
export function toRealHome(home: string): string {
  return realpathSync(home);
}
