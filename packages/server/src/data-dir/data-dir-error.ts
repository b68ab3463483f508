/** The data dir cannot be used in its current state. `message` describes the problem and the fix. */
export class DataDirError extends Error {
  override readonly name = "DataDirError";
}
