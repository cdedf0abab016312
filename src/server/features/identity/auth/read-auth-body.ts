import type { Context } from 'hono'
import type { z } from 'zod'
import { parseInput, readBody, rejectUnstorableText } from '#server/http/read-json.ts'

/**
 * Reads and parses a body. Refuses text that PostgreSQL can't store, because user metadata isn't checked by a schema.
 * @throws AppError bad_json, validation_failed
 */
export async function readAuthBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const body = await readBody(c)
  rejectUnstorableText(body)
  return parseInput(schema, body)
}
