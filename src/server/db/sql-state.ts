/** SQLSTATE of a database error, looked for in the error and its causes (Drizzle wraps the driver's). */
export function sqlState(error: unknown): string | undefined {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const code = (current as Error & { code?: unknown }).code
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
    current = current.cause
  }
  return undefined
}

export const uniqueViolation = '23505'

/** Foreign key, deadlock, serialization: what somebody else did in the same moment, such as deleting the account. */
const meetings: ReadonlySet<string | undefined> = new Set(['23503', '40P01', '40001'])

/** Whether a statement failed because two requests met. Nothing was written, and the next try finds things settled. */
export const hasMetAnother = (error: unknown): boolean => meetings.has(sqlState(error))
