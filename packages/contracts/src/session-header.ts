/**
 * The header in which the page sends its session's secret, with every request and event stream. In a file without schemas, because
 * the page uses it: one schema would bring the whole schema library with it.
 */
export const sessionHeader = "skein-session";
