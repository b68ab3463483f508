import { foundIdsSchema } from "@skein/contracts";
import type { ApiClient } from "../client/api-client.ts";

/** `tsk_` and the first characters of the timestamp, which tasks of the same second share. */
const shortest = "tsk_".length + 8;

/** With the whole timestamp, in milliseconds. */
const lasting = "tsk_".length + 10;

/** The shortest unique prefix of an id, as git shortens commits. */
export function shortenId(id: string, others: readonly string[]): string {
  let length = shortest;
  for (const other of others) {
    if (other === id) continue;
    let same = 0;
    while (same < id.length && id[same] === other[same]) same++;
    length = Math.max(length, same + 1);
  }
  return id.slice(0, length);
}

/** The same, against all ids that the server knows, and so that it stays unique when more is created in the same second. */
export async function findShortId(client: ApiClient, id: string): Promise<string> {
  const { ids, truncated } = await client.get(`/api/ids?prefix=${id.slice(0, shortest)}&limit=100`, foundIdsSchema);
  return truncated ? id : id.slice(0, Math.max(lasting, shortenId(id, ids).length));
}
