/** Why the conversation with an agent cannot go on; the message is the sentence for the person. */
export class AcpFailure extends Error {
  override readonly name = "AcpFailure";
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
