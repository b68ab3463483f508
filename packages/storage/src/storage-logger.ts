/** The part of a pino logger that storage uses. */
export interface StorageLogger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}
