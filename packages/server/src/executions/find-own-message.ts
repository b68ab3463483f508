import type { ExecutionId, StoredMessage } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

/** What the user said comes first; only notices may be before it. */
const searchedMessages = 20;

/** What the user said to start this execution. Undefined where a retry has moved it to a later one. */
export async function findOwnMessage(reader: StorageReader, { id: executionId }: { id: ExecutionId }): Promise<StoredMessage | undefined> {
  for (const { id } of await reader.listMessagePlaces({ executionId, limit: searchedMessages })) {
    const message = await reader.findMessage({ id });
    if (message?.body.role === "user") return message;
  }
  return undefined;
}
