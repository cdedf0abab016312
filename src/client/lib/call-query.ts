import { type QueryKey, queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { invoke } from './invoke.ts'

type Options<Data, Key extends QueryKey> = Omit<
  UseQueryOptions<Data, Error, Data, Key>,
  'queryKey' | 'queryFn' | 'initialData' | 'select'
>

/** A query that makes one call. Its data is fresh for the client's default time. */
export const callQuery = <C extends AnyCall, Key extends QueryKey>(
  queryKey: Key,
  call: C,
  input: z.input<C['input']>,
  options?: Options<z.output<C['output']>, Key>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => invoke(call, input, signal), ...options })

/** A query that repeats its call whenever a page shows the data, since others change it too. */
export const alwaysStaleQuery = <C extends AnyCall, Key extends QueryKey>(
  queryKey: Key,
  call: C,
  input: z.input<C['input']>,
  options?: Options<z.output<C['output']>, Key>,
) => callQuery(queryKey, call, input, { staleTime: 0, ...options })
