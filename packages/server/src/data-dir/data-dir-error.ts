/** The data dir cannot be used as it is. `message` says what is wrong and what to do. */
export class DataDirError extends Error {
  override readonly name = "DataDirError";
}
