/**
 * Where an attempt was forked. The execution belongs to `continued_from`, which is not deleted while the fork exists. Both columns have a
 * value, or neither.
 */
export const forksSchema = `
ALTER TABLE attempts ADD COLUMN forked_execution TEXT;
ALTER TABLE attempts ADD COLUMN forked_place TEXT CHECK (forked_place IN ('start', 'end'))
  CHECK ((forked_place IS NULL) = (forked_execution IS NULL));
`;
