/** Why the conversation with an agent cannot continue. `message` is a sentence for the user. */
export class AcpFailure extends Error {
  override readonly name = "AcpFailure";
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
