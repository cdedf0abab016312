import type { Context } from 'hono'
import type { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { refuseUnstorable } from './refuse-unstorable.ts'

/** Answers an absent or empty body as `{}`: clients send calls without arguments with no body at all. */
export async function readBody(c: Context): Promise<unknown> {
  // Told in advance that nothing comes, there is no stream to open.
  if (c.req.header('content-length') === '0') return {}
  const text = await c.req.text().catch(refuseCutBody)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('bad_json')
  }
}

/** A body that is a file, whole. */
export async function readFileBody(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await c.req.arrayBuffer().catch(refuseCutBody))
}

/** A client that leaves in the middle of its body is its own doing: no failure of ours, and no line in the log. */
function refuseCutBody(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('bad_json', { cause })
}

/**
 * Parses the body with the contract, whatever the content type says: a validator that looks at the type first hands an
 * all-optional schema `{}` and so accepts a dropped body.
 * @throws AppError bad_json, validation_failed with the first message of the schema
 */
export async function readJson<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  return parseInput(schema, await readBody(c))
}

/** What a contract does not clean itself must be fit to be stored and sent on. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) {
    refuseUnstorable(parsed.data)
    return parsed.data
  }
  const [first] = parsed.error.issues
  throw new AppError('validation_failed', { message: first ? describeIssue(first) : undefined })
}

/** Texts that we wrote stand as they are; zod's own say which field they are about. */
function describeIssue(issue: { path: PropertyKey[]; message: string }): string {
  const field = issue.path.map(String).join('.')
  return /^(Invalid|Too|Unrecognized|Expected)/.test(issue.message) && field
    ? `${field}: ${issue.message}`
    : issue.message
}
