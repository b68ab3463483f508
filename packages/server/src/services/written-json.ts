/** A JSON text that is passed on as it is: parsing and writing megabytes would block every other request. */
export class WrittenJson {
  readonly text: Uint8Array;

  constructor(text: Uint8Array) {
    this.text = text;
  }
}
