import { infiniteQueryOptions, type keepPreviousData, type QueryKey } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { invoke } from './invoke.ts'

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
