import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { CallError, networkError, readCallError } from './call-error.ts'
import { loadBackend } from './load-backend.ts'
import { requireMfa } from './session.ts'

export { CallError } from './call-error.ts'

/**
 * Makes a product call, parsing input and output by its contract.
 * @throws CallError, with code `not_authenticated` if there is no session
 */
export function invoke<C extends AnyCall>(
  call: C,
  input: z.input<C['input']>,
  signal?: AbortSignal,
): Promise<z.output<C['output']>> {
  return send(call, call.name, call.input.parse(input) as Record<string, unknown>, signal)
}

/** Makes a call that takes a file: the file is the body, and the input goes into the query string. */
export function upload<C extends AnyCall>(
  call: C,
  input: Record<string, string> & z.input<C['input']>,
  file: Blob,
): Promise<z.output<C['output']>> {
  // Without a type, so that functions-js doesn't wrap it in a form. The server detects the type.
  return send(call, `${call.name}?${new URLSearchParams(input)}`, new Blob([file], { type: '' }))
}

async function send<C extends AnyCall>(
  call: C,
  path: string,
  body: Blob | Record<string, unknown>,
  signal?: AbortSignal,
): Promise<z.output<C['output']>> {
  const data = await post(path, body, { isPublic: call.audience === 'public', signal })
  return call.output.parse(data) as z.output<C['output']>
}

/** Makes a call that was parsed earlier, for a signed-in user, and ignores its output. */
export const postCall = (name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown> =>
  post(name, input, { isPublic: false, signal })

async function post(
  path: string,
  body: Blob | Record<string, unknown>,
  { isPublic, signal }: { isPublic: boolean; signal?: AbortSignal },
): Promise<unknown> {
  const { auth, functions } = await loadBackend()
  if (!isPublic) {
    const { data, error } = await auth.getSession()
    // There is a session, but its expired token could not be refreshed offline.
    if (error?.status === 0) throw networkError()
    if (!data.session) throw new CallError('not_authenticated', 'Not authenticated', 401)
  }
  const { data, error } = await functions.invoke<unknown>(path, { body, signal })
  if (error) {
    signal?.throwIfAborted()
    if (error.context instanceof Response) {
      const callError = await readCallError(error.context)
      // The guards then redirect to two-step verification.
      if (callError.code === 'mfa_required') requireMfa()
      throw callError
    }
    throw networkError()
  }
  return data
}
