import type { Context } from 'hono'
import type { z } from 'zod'
import type { Deps, FeatureDeps } from '#server/feature.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import { parseInput, readBody, rejectUnstorableText } from '#server/http/read-json.ts'
import type { IpRateLimits } from './limits/ip-rate-limits.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'

export type AuthDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue'> &
  Pick<FeatureDeps, 'onProfileReset' | 'onVisitorKnown' | 'onSignedIn'> & {
    readPrincipal: ReadPrincipal
    hasher: PasswordHasher
    limits: IpRateLimits
  }

/**
 * Reads and parses a body. Refuses text that PostgreSQL can't store, because user metadata isn't checked by a schema.
 * @throws AppError bad_json, validation_failed
 */
export async function readAuthBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const body = await readBody(c)
  rejectUnstorableText(body)
  return parseInput(schema, body)
}

/** Accepts any version and variant, since imported accounts may have other ids than ours. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
