import type { Context } from 'hono'
import type { z } from 'zod'
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

/** Parses the body. An empty body is `{}`, since clients omit it in calls without arguments. */
export async function readBody(c: Context): Promise<unknown> {
  // Don't open a stream for an empty body.
  if (c.req.header('content-length') === '0') return {}
  const text = await c.req.text().catch(rejectIncompleteBody)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('bad_json')
  }
}

export async function readFileBody(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await c.req.arrayBuffer().catch(rejectIncompleteBody))
}

/** The body in pieces, so that a large file is never in memory as a whole. */
export async function* streamFileBody(c: Context): AsyncGenerator<Uint8Array> {
  if (!c.req.raw.body) return
  const reader = c.req.raw.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(rejectIncompleteBody)
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A client that disconnects while sending is not an error to log. */
function rejectIncompleteBody(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('bad_json', { cause })
}

/**
 * Parses the body with a schema and ignores the content type. Hono's validator would parse `{}` if the type is missing, so
 * a schema with only optional fields would accept a dropped body.
 * @throws AppError bad_json, or validation_failed with the schema's first message
 */
export async function readJson<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  return parseInput(schema, await readBody(c))
}

export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) {
    rejectUnstorableText(parsed.data)
    return parsed.data
  }
  const [first] = parsed.error.issues
  throw new AppError('validation_failed', { message: first ? describeIssue(first) : undefined })
}

/** Adds the field's name to zod's built-in messages. */
function describeIssue(issue: { path: PropertyKey[]; message: string }): string {
  const field = issue.path.map(String).join('.')
  return /^(Invalid|Too|Unrecognized|Expected)/.test(issue.message) && field
    ? `${field}: ${issue.message}`
    : issue.message
}
