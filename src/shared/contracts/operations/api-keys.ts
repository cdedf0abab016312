import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { apiScopeNames } from './public-api.ts'

const instant = z.iso.datetime()
const scopes = z.array(z.enum(apiScopeNames)).min(1, 'Choose at least one scope')

const apiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  scopes,
  createdBy: z.string(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
})
export type ApiKey = z.infer<typeof apiKeySchema>

/** Newest first. */
export const adminApiKeysCall = defineCall({
  name: 'admin-api-keys',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ items: z.array(apiKeySchema) }),
})

/** Returns the key, which is never shown again. Requires step-up. */
export const adminCreateApiKeyCall = defineCall({
  name: 'admin-create-api-key',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({
    name: z.string().trim().min(1, 'Enter a name').max(80),
    scopes,
    /** Null for a key that doesn't expire. */
    expiresInDays: z.number().int().min(1).max(3650).nullable(),
  }),
  output: z.object({ id: z.uuid(), key: z.string() }),
})

/** The key stops working with the next request. Requires step-up. */
export const adminRevokeApiKeyCall = defineCall({
  name: 'admin-revoke-api-key',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
