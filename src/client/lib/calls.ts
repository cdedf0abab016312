import {
  infiniteQueryOptions,
  type keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseMutationOptions,
  type UseQueryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { authorizedFetch, readAccessToken } from './authorized-fetch.ts'
import { importInBackground } from './background-import.ts'
import { CallError, errorMessage, isNetworkError, networkError, readCallError } from './error-message.ts'
import { requireMfa } from './session.ts'
import { StepUpDeclined, withStepUp } from './step-up.ts'
import { toast } from './toast.ts'

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

/** A query that repeats its call whenever a page shows the data, since others change it too. */
export const alwaysStaleQuery = <C extends AnyCall, Key extends QueryKey>(
  queryKey: Key,
  call: C,
  input: z.input<C['input']>,
  options?: QuerySettings<z.output<C['output']>, Key>,
) => callQuery(queryKey, call, input, { staleTime: 0, ...options })

type SensitiveMutation<Input, Result> = {
  mutationFn: (input: Input) => Promise<Result>
  onSuccess?: UseMutationOptions<Result, Error, Input>['onSuccess']
  /** Success notification. Shown here, because the calling row may be gone by then. */
  done?: string
  /** Title of the error notification. Omit it if the form shows the error inline. */
  failure?: string
}

/** A mutation that may require step-up and then repeats itself. Declining step-up shows no error. */
export function useSensitiveMutation<Result, Input = void>({
  mutationFn,
  onSuccess,
  done,
  failure,
}: SensitiveMutation<Input, Result>) {
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => withStepUp(() => mutationFn(input)),
    onSuccess: (...args) => {
      if (done) toast.success(done, { id: done })
      return onSuccess?.(...args)
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined || !failure) return
      console.error(failure, error)
      toast.error(failure, { id: failure, description: errorMessage(error) })
    },
  })
}

type ChangeOptions<C extends AnyCall> = {
  /** Success notification. */
  done?: string
  /** Title of the error notification. Omit it if the form shows the error inline. */
  failure?: string
  onSuccess?: (output: z.output<C['output']>, input: z.input<C['input']>) => unknown
}

/** Read by the guards of pages, which would use a stale answer: refetched even if no page shows it. */
const guards: ReadonlySet<string> = new Set(['subscription', 'staff-role'])

/** A change by one call, which may require step-up. It is pending until what the contract `invalidates` was refetched. */
export function useChange<C extends AnyCall>(call: C, { onSuccess, ...messages }: ChangeOptions<C> = {}) {
  const queryClient = useQueryClient()
  return useSensitiveMutation<z.output<C['output']>, z.input<C['input']>>({
    mutationFn: (input) => invoke(call, input),
    ...messages,
    onSuccess: (output, input) =>
      Promise.all([
        onSuccess?.(output, input),
        ...(call.invalidates ?? []).map((name) =>
          queryClient.invalidateQueries({ queryKey: [name], refetchType: guards.has(name) ? 'all' : 'active' }),
        ),
      ]),
  })
}

/** Returns a function that refetches the queries whose keys begin with one of these. */
export function useInvalidate(...queryKeys: QueryKey[]) {
  const queryClient = useQueryClient()
  return () => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

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

/** What a field contains, without spaces around it. Empty for a field that the form doesn't have. */
type FieldText = (name: string) => string

/** Handles a form's submit event, unless the change that it makes is pending. */
export const submitHandler =
  (change: { isPending: boolean }, run: (text: FieldText, form: FormData) => unknown) =>
  (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const form = new FormData(event.currentTarget)
    run((name) => String(form.get(name) ?? '').trim(), form)
  }
