/** A JSON text that is passed through unchanged: parsing and serialising megabytes would block other requests. */
export class WrittenJson {
  readonly text: Uint8Array;

  constructor(text: Uint8Array) {
    this.text = text;
  }
}
