import type { z } from 'zod'
import { type Call, defineCall, type RolesOf } from './define-call.ts'

/** A call of the admin, for staff with one of its roles. */
export const defineAdminCall = <const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  call: Omit<Call<Name, Input, Output>, 'audience'> & RolesOf<'admin'>,
) => defineCall({ ...call, audience: 'admin' })
