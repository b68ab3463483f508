/** Whether `npm run test:long` runs: what takes minutes, or repeats in other looks what `npm test` has seen once. */
export const isLong = process.env.SKEIN_TEST_LONG === "1";
