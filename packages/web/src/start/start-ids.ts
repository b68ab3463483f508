/** Ids for starts: the same content has the same id until it was done, so that a start whose answer was lost is not done twice. */
export function createStartIds(createId: () => string = () => crypto.randomUUID()): {
  idOf(content: unknown): string;
  /** The start has succeeded: the same content is a new start from now on. */
  settle(content: unknown): void;
} {
  const open = new Map<string, string>();
  return {
    idOf(content) {
      const written = JSON.stringify(content);
      const id = open.get(written) ?? createId();
      open.set(written, id);
      return id;
    },
    settle: (content) => void open.delete(JSON.stringify(content)),
  };
}
