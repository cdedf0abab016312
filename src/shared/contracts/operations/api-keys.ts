import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
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
export const adminApiKeysCall = defineAdminCall({
  name: 'admin-api-keys',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ items: z.array(apiKeySchema) }),
})

/** Returns the key, which is never shown again. */
export const adminCreateApiKeyCall = defineAdminCall({
  name: 'admin-create-api-key',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['api-keys'],
  input: z.object({
    name: z.string().trim().min(1, 'Enter a name').max(80),
    scopes,
    /** Null for a key that doesn't expire. */
    expiresInDays: z.number().int().min(1).max(3650).nullable(),
  }),
  output: z.object({ id: z.uuid(), key: z.string() }),
})

/** The key stops working with the next request. */
export const adminRevokeApiKeyCall = defineAdminCall({
  name: 'admin-revoke-api-key',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['api-keys'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
