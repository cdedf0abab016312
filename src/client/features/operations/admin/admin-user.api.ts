import type { z } from 'zod'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminUserCall } from '#shared/contracts/identity/admin-security.ts'

export type AdminUserFacts = z.output<typeof adminUserCall.output>

export const adminUserQuery = (id: string) => alwaysStaleQuery(['admin-user', id], adminUserCall, { userId: id })
