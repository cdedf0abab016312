/** Milliseconds. A day of a calendar can have 23 or 25 hours; see publishing-calendar.ts. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
