/** Before the product existed. Keeps out instants that PostgreSQL can't store. */
const earliest = Date.parse('2020-01-01T00:00:00Z')

/** When a change counts as made. A reader's clock may be wrong: a change is never later than its arrival. */
export const changeInstant = (at: string, now: Date): Date =>
  new Date(Math.min(Math.max(Date.parse(at), earliest), now.getTime()))
