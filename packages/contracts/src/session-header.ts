/**
 * The header in which the page sends its session's secret, with every request and event stream. In a file without schemas, because the
 * page uses it and does not load the schema library.
 */
export const sessionHeader = "skein-session";
