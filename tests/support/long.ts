/** Whether this is `npm run test:long`: tests that take minutes, or that repeat those of `npm test` with other themes, widths and languages. */
export const isLong = process.env.SKEIN_TEST_LONG === "1";
