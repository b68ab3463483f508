export interface LoadOptions {
  delaysMs?: readonly number[];
  wait?: (ms: number) => Promise<void>;
}

/** A restart takes seconds; longer than this it is no restart. */
const defaultDelays = [300, 700, 1500, 3000, 6000, 10_000];
const defaultWait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Code that is fetched when it is first needed. While the server restarts it is waited for: one part that is late must not
 * take the whole page with it. Throws when it does not come, as after an update that replaced it.
 */
export async function loadPart<Part>(load: () => Promise<Part>, options: LoadOptions = {}): Promise<Part> {
  const wait = options.wait ?? defaultWait;
  for (const delay of options.delaysMs ?? defaultDelays) {
    try {
      return await load();
    } catch {
      await wait(delay);
    }
  }
  return load();
}
