import type { z } from 'zod'

/** Who may make a call; the server decides it from the session row and the entitlement, the same for every call. */
export type Audience = 'public' | 'user' | 'subscriber' | 'admin'

/** One product call, `POST /functions/v1/<name>`: both sides parse with the same two schemas. */
export type Call<Name extends string, Input extends z.ZodType, Output extends z.ZodType> = {
  name: Name
  audience: Audience
  /** Open to a session that still owes its second factor. Without it such a session is refused. */
  duringSecondStep?: boolean
  /** Takes a file of at most so many bytes as its body, and its input in the address. */
  file?: { maxBytes: number }
  input: Input
  output: Output
}

export type AnyCall = Call<string, z.ZodType, z.ZodType>

/** Keeps the audience in the type, so that the function behind a call knows whether somebody is signed in. */
export const defineCall = <
  const Name extends string,
  const A extends Audience,
  Input extends z.ZodType,
  Output extends z.ZodType,
>(
  call: Call<Name, Input, Output> & { audience: A },
): Call<Name, Input, Output> & { audience: A } => call
