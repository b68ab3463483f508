interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/**
 * Adds the required fields that a value lacks, with the smallest values that the schema allows. So a scripted server states what matters
 * and still sends the whole shape. Known values are kept, also those that the schema does not allow: validation finds them.
 */
export function completeBySchema(schema: object, known: unknown, definitions: Readonly<Record<string, object>>): unknown {
  const resolve = (one: Schema): Schema =>
    one.$ref === undefined ? one : resolve((definitions[one.$ref.replace("#/definitions/", "")] ?? {}) as Schema);

  const complete = (written: Schema, value: unknown): unknown => {
    const { type, properties = {}, required = [], enum: choices, anyOf, oneOf, allOf, format } = resolve(written);
    const choice = anyOf ?? oneOf ?? allOf;
    if (choice !== undefined && type === undefined) {
      const wanted = value === undefined ? choice[0] : choice.find((one) => resolve(one).type !== "null");
      return value === null ? null : complete(wanted ?? {}, value);
    }
    if (type === "object" || Object.keys(properties).length > 0) {
      if (value !== undefined && (typeof value !== "object" || value === null)) return value;
      const given = (value ?? {}) as Record<string, unknown>;
      const all = [...new Set([...required, ...Object.keys(given)])];
      return Object.fromEntries(
        all.map((name) => [name, properties[name] === undefined ? given[name] : complete(properties[name], given[name])]),
      );
    }
    if (value !== undefined) return value;
    if (choices !== undefined) return choices[0];
    switch (type) {
      case "string":
        return format === "date-time" ? "2026-01-01T00:00:00Z" : format === "uri" ? "https://example.invalid/" : "";
      case "integer":
      case "number":
        return 0;
      case "boolean":
        return false;
      case "array":
        return [];
      default:
        return null;
    }
  };
  return complete(schema as Schema, known);
}
