import {
  infiniteQueryOptions,
  type keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
} from '@tanstack/react-query'
import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { authorizedFetch, readAccessToken } from './authorized-fetch.ts'
import { importInBackground } from './background-import.ts'
import { CallError, isNetworkError, networkError, readCallError } from './error-message.ts'
import { requireMfa } from './session.ts'

export { CallError } from './error-message.ts'

/**
 * Makes a product call.
 * @throws CallError, with code `not_authenticated` if there is no session
 */
export function invoke<C extends AnyCall>(
  call: C,
  input: z.input<C['input']>,
  signal?: AbortSignal,
): Promise<z.output<C['output']>> {
  return send(call, call.name, parseInDev(call.input, input) as Record<string, unknown>, signal)
}

/** Makes a call that takes a file: the file is the body, and the input goes into the query string. */
export function upload<C extends AnyCall>(
  call: C,
  input: Record<string, string> & z.input<C['input']>,
  file: Blob,
): Promise<z.output<C['output']>> {
  return send(call, `${call.name}?${new URLSearchParams(input)}`, file)
}

async function send<C extends AnyCall>(
  call: C,
  path: string,
  body: Blob | Record<string, unknown>,
  signal?: AbortSignal,
): Promise<z.output<C['output']>> {
  const data = await post(path, body, { isPublic: call.audience === 'public', signal }).catch((error: unknown) =>
    isNetworkError(error) ? readStoredAnswer(call.name, body, error) : Promise.reject(error),
  )
  return parseInDev(call.output, data) as z.output<C['output']>
}

/** The server parses input and output. The browser's bundle has no schemas of calls (scripts/build/strip-schemas.ts). */
export const parseInDev = (schema: z.ZodType, value: unknown): unknown =>
  import.meta.env.DEV ? schema.parse(value) : value

/** @throws `error` unless this device keeps an answer for reading offline */
async function readStoredAnswer(name: string, body: unknown, error: unknown): Promise<unknown> {
  const answer = await importInBackground(() => import('./offline/stored-answer.ts'))
    .then((stored) => stored.readStoredAnswer(name, body))
    .catch(() => undefined)
  if (answer === undefined) throw error
  return answer
}

/** Makes a call that was parsed earlier, for a signed-in user, and ignores its output. */
export const postCall = (name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown> =>
  post(name, input, { isPublic: false, signal })

async function post(
  path: string,
  body: Blob | Record<string, unknown>,
  { isPublic, signal }: { isPublic: boolean; signal?: AbortSignal },
): Promise<unknown> {
  // At once, because renewing an expired token would be tried for half a minute first.
  if (!navigator.onLine) throw networkError()
  const token = isPublic ? await readAccessToken().catch(() => null) : await readAccessToken()
  if (!isPublic && !token) throw new CallError('not_authenticated', 'Not authenticated', 401)
  const isFile = body instanceof Blob
  const response = await authorizedFetch(
    `/functions/v1/${path}`,
    {
      method: 'POST',
      // The server detects the type of a file.
      headers: { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' },
      body: isFile ? body : JSON.stringify(body),
      signal,
    },
    token,
  )
  if (!response.ok) {
    const callError = await readCallError(response)
    // The guards then redirect to two-step verification.
    if (callError.code === 'mfa_required') requireMfa()
    throw callError
  }
  return response.json().catch(() => {
    signal?.throwIfAborted()
    throw networkError()
  })
}

type QuerySettings<Data, Key extends QueryKey> = Omit<
  UseQueryOptions<Data, Error, Data, Key>,
  'queryKey' | 'queryFn' | 'initialData' | 'select'
>

/** A query that makes one call. Its data is fresh for the client's default time. */
export const callQuery = <C extends AnyCall, Key extends QueryKey>(
  queryKey: Key,
  call: C,
  input: z.input<C['input']>,
  options?: QuerySettings<z.output<C['output']>, Key>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => invoke(call, input, signal), ...options })

/** A query whose data is one field of a call's answer. */
export const fieldQuery = <C extends AnyCall, Key extends QueryKey, Field extends keyof z.output<C['output']>>(
  queryKey: Key,
  call: C,
  input: z.input<C['input']>,
  field: Field,
  options?: QuerySettings<z.output<C['output']>[Field], Key>,
) => queryOptions({ queryKey, queryFn: async ({ signal }) => (await invoke(call, input, signal))[field], ...options })

/** A query that repeats its call whenever a page shows the data, since others change it too. */
export const alwaysStaleQuery = <C extends AnyCall, Key extends QueryKey>(
  queryKey: Key,
  call: C,
  input: z.input<C['input']>,
  options?: QuerySettings<z.output<C['output']>, Key>,
) => callQuery(queryKey, call, input, { staleTime: 0, ...options })

type Page<C extends AnyCall> = z.output<C['output']> & { nextCursor: string | null }

/** A query that reads a call's answers page by page, again whenever a page of the portal shows them. */
export const pagedQuery = <C extends AnyCall, Key extends QueryKey>(
  queryKey: Key,
  call: C,
  input: Omit<z.input<C['input']>, 'cursor'>,
  options?: { placeholderData?: typeof keepPreviousData },
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      invoke(call, { ...input, cursor: pageParam } as z.input<C['input']>, signal) as Promise<Page<C>>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    ...options,
  })
