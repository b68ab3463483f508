import type { ExecutionId, StoredMessage } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

/** The user's message comes first; only notices may precede it. */
const searchedMessages = 20;

/** The user message that started this execution. Undefined if a retry moved it to a later one. */
export async function findOwnMessage(reader: StorageReader, { id: executionId }: { id: ExecutionId }): Promise<StoredMessage | undefined> {
  for (const { id } of await reader.listMessagePlaces({ executionId, limit: searchedMessages })) {
    const message = await reader.findMessage({ id });
    if (message?.body.role === "user") return message;
  }
  return undefined;
}
