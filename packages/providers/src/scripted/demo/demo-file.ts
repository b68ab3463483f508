export const demoFile = "skein-demo.md";

/** The demo's file keeps this line last, so that a later round knows where to add. */
export const endMarker = "<!-- skein-demo: new notes go above this line -->";

export const missingFile = "no-such-file-here";
