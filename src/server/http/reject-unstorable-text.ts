import { AppError } from '#shared/errors.ts'

/** Deeper than any valid request. The driver and the database recurse on stored JSON. */
const maxDepth = 20

/** ISO 8601 has the year 0, PostgreSQL doesn't. Instants pass: a device's clock may be wrong (`change-instant.ts`). */
const yearZero = /^0000-\d\d-\d\d$/

/**
 * Rejects NUL characters and lone surrogates in keys and values, and days of the year 0: PostgreSQL, URLs and Stripe
 * can't store or encode them. Iterative, so that deep nesting can't exhaust the stack.
 * @throws AppError validation_failed
 */
export function rejectUnstorableText(body: unknown): void {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next
    if (typeof value === 'string') {
      requireStorable(value)
      if (yearZero.test(value)) throw new AppError('validation_failed', { message: 'The year must be 1 or later' })
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) throw new AppError('validation_failed', { message: 'The request is nested too deeply' })
    for (const [key, member] of Object.entries(value)) {
      requireStorable(key)
      pending.push({ value: member, depth: depth + 1 })
    }
  }
}

function requireStorable(text: string) {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw new AppError('validation_failed', { message: 'The request contains characters that can’t be stored' })
  }
}
