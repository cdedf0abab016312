import type { z } from 'zod'

/** Who may make a call; the server decides it from the session row and the entitlement (design: "one declared audience"). */
export type Audience = 'public' | 'user' | 'subscriber' | 'admin'

/** One product call, `POST /functions/v1/<name>`: both sides parse with the same two schemas. */
export type Call<Name extends string, Input extends z.ZodType, Output extends z.ZodType> = {
  name: Name
  audience: Audience
  input: Input
  output: Output
}

export type AnyCall = Call<string, z.ZodType, z.ZodType>

export const defineCall = <const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  call: Call<Name, Input, Output>,
): Call<Name, Input, Output> => call
