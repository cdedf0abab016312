import { AppError } from '#shared/errors.ts'

/** Far beyond what a client nests; driver and database recurse on what we store. */
const maxDepth = 20

/**
 * Refuses what neither PostgreSQL stores nor an address or Stripe's form takes, wherever it hides: NUL characters and
 * halves of surrogate pairs, in values and in keys. Without this a stray `\u0000` in free text surfaces as an error of
 * the database. Walks without recursion: a megabyte of brackets must not exhaust the stack.
 * @throws AppError validation_failed
 */
export function refuseUnstorable(body: unknown): void {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next
    if (typeof value === 'string') requireText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) throw new AppError('validation_failed', { message: 'The request is nested too deeply' })
    for (const [key, member] of Object.entries(value)) {
      requireText(key)
      pending.push({ value: member, depth: depth + 1 })
    }
  }
}

function requireText(text: string) {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw new AppError('validation_failed', { message: 'The request holds characters that cannot be stored' })
  }
}
