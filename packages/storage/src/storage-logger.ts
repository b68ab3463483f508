/** What a pino logger offers. */
export interface StorageLogger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}
