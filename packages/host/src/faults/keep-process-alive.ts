/**
 * Last resort for uncaught errors and unhandled rejections: reports them and keeps the process running. The process owns agents or
 * serves users, so exiting would make things worse. Returns a function that removes the handlers.
 */
export function keepProcessAlive(report: (event: string, error: unknown) => void): () => void {
  const onException = (error: unknown) => report("uncaught error", error);
  const onRejection = (error: unknown) => report("unhandled promise rejection", error);
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  return () => {
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}
