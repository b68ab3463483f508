import { CliError } from "../cli-error.ts";

/** Explains why the server could not listen; undefined for other errors. */
export function explainListenError(error: unknown, { host, port }: { host: string; port: number }): CliError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const hint = `Choose another port: SKEIN_PORT=${port === 65_535 ? 4181 : port + 1} npm start, or skein serve --port ${port === 65_535 ? 4181 : port + 1}`;
  switch (code) {
    case "EADDRINUSE":
      return new CliError(`Port ${port} on ${host} is in use by another program.`, { hint, cause: error });
    case "EACCES":
      return new CliError(`This user is not allowed to listen on port ${port}.`, {
        hint: "Choose a port above 1023: SKEIN_PORT=4180",
        cause: error,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new CliError(`${host} is not an address of this machine.`, {
        hint: "Without --host and SKEIN_HOST, Skein listens on 127.0.0.1.",
        cause: error,
      });
    default:
      return undefined;
  }
}
