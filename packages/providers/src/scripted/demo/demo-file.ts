export const demoFile = "skein-demo.md";

/** Always the last line of the demo's file, so that a later turn knows where to insert. */
export const endMarker = "<!-- skein-demo: new notes go above this line -->";

export const missingFile = "no-such-file-here";
