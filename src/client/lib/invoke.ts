import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { CallError, networkError, readCallError } from './call-error.ts'
import { loadBackend } from './load-backend.ts'
import { requireMfa } from './session.ts'

export { CallError } from './call-error.ts'

/**
 * One product call. What is sent and what comes back both pass the shared contract, so a page never meets a shape that
 * it was not written for. Throws CallError; its code is `not_authenticated` when there is no session to send.
 */
export function invoke<C extends AnyCall>(
  call: C,
  input: z.input<C['input']>,
  signal?: AbortSignal,
): Promise<z.output<C['output']>> {
  return send(call, call.name, call.input.parse(input) as Record<string, unknown>, signal)
}

/** One call that takes a file: the file is the body, the input goes into the address. */
export function upload<C extends AnyCall>(
  call: C,
  input: Record<string, string> & z.input<C['input']>,
  file: Blob,
): Promise<z.output<C['output']>> {
  // Without a type: what it is is for the server to find out, and the client must not wrap it in a form.
  return send(call, `${call.name}?${new URLSearchParams(input)}`, new Blob([file], { type: '' }))
}

async function send<C extends AnyCall>(
  call: C,
  path: string,
  body: Blob | Record<string, unknown>,
  signal?: AbortSignal,
): Promise<z.output<C['output']>> {
  const { auth, functions } = await loadBackend()
  if (call.audience !== 'public') {
    const { data, error } = await auth.getSession()
    // The session is there, but its token is old and could not be renewed for lack of a connection.
    if (error?.status === 0) throw networkError()
    if (!data.session) throw new CallError('not_authenticated', 'Not authenticated', 401)
  }
  const { data, error } = await functions.invoke<unknown>(path, { body, signal })
  if (error) {
    signal?.throwIfAborted()
    if (error.context instanceof Response) {
      const refusal = await readCallError(error.context)
      // The guards lead to the second step as soon as the session is known to owe it.
      if (refusal.code === 'mfa_required') requireMfa()
      throw refusal
    }
    throw networkError()
  }
  return call.output.parse(data) as z.output<C['output']>
}
