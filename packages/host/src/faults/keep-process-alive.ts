/**
 * The last resort: an error that nobody caught is reported, and the process goes on. It owns agents or serves users, and ending
 * it helps neither. Returns the removal.
 */
export function keepProcessAlive(report: (event: string, error: unknown) => void): () => void {
  const onException = (error: unknown) => report("an error was not caught", error);
  const onRejection = (error: unknown) => report("a rejected promise was not handled", error);
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  return () => {
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}
