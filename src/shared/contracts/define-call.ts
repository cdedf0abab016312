import type { z } from 'zod'
import type { StaffRole } from '#shared/domain/staff-roles.ts'

/** Who may make a call. The server checks it for every call. */
export type Audience = 'public' | 'user' | 'subscriber' | 'admin'

/** A product call, `POST /functions/v1/<name>`. The server parses input and output; the client has their types. */
export type Call<Name extends string, Input extends z.ZodType, Output extends z.ZodType> = {
  name: Name
  audience: Audience
  /** For calls of subscribers: also for those who bought a single item, who get what they bought. */
  forBuyers?: true
  /** For calls of the audience `admin`: the roles that may make it. */
  roles?: readonly StaffRole[]
  /** For calls that read, or save if the input has `save`: the roles that may save. Default: `roles`. */
  saveRoles?: readonly StaffRole[]
  /** First parts of the keys of the browser's queries that the call makes stale. */
  invalidates?: readonly string[]
  /** The session must have authenticated recently: for every request, or for those that `save`. Fails with `step_up_required`. */
  stepUp?: true | 'save'
  /** Allows the call before the second factor is verified. */
  duringSecondStep?: boolean
  /** The body is a file, and the input is in the query string. `streamed`: never in memory as a whole. */
  file?: { maxBytes: number; streamed?: boolean }
  input: Input
  output: Output
}

export type AnyCall = Call<string, z.ZodType, z.ZodType>

type RolesOf<A extends Audience> = A extends 'admin'
  ? { roles: readonly StaffRole[] }
  : { roles?: undefined; saveRoles?: undefined }

/** Keeps the audience in the type, so that the implementation knows whether there is a user. */
export const defineCall = <
  const Name extends string,
  const A extends Audience,
  Input extends z.ZodType,
  Output extends z.ZodType,
>(
  call: Call<Name, Input, Output> & { audience: A } & RolesOf<A>,
): Call<Name, Input, Output> & { audience: A } & RolesOf<A> => call

/** A call of the admin, for staff with one of its roles. */
export const defineAdminCall = <const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  call: Omit<Call<Name, Input, Output>, 'audience'> & RolesOf<'admin'>,
) => defineCall({ ...call, audience: 'admin' })
