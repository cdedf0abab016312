import type { Context } from 'hono'
import type { z } from 'zod'
import { parseInput, readBody } from '#server/http/read-json.ts'
import { rejectUnstorableText } from '#server/http/reject-unstorable-text.ts'

/**
 * Reads a body and refuses what could not be stored before the schema sees it: free-form user data passes a schema
 * unread.
 * @throws AppError bad_json, validation_failed
 */
export async function readAuthBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const body = await readBody(c)
  rejectUnstorableText(body)
  return parseInput(schema, body)
}
