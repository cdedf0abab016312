import type { Context } from 'hono'
import type { z } from 'zod'
import { parseInput, readBody } from '#server/http/read-json.ts'
import { AppError } from '#shared/errors.ts'

/** Far beyond what a client nests; driver and database recurse on what we store. */
const maxDepth = 20

/**
 * Reads a body and refuses what PostgreSQL could not store, wherever it hides: NUL characters and halves of surrogate
 * pairs, in values and in keys. Without this a stray `\u0000` in free-form user data surfaces as a database error.
 * @throws AppError bad_json, validation_failed
 */
export async function readAuthBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const body = await readBody(c)
  refuseUnstorable(body)
  return parseInput(schema, body)
}

/** Walks without recursion: a megabyte of brackets must not exhaust the stack. */
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
