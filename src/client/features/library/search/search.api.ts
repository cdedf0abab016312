import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callQuery, invoke } from '#client/lib/calls.ts'
import { archiveCall, maxQueryLength, type SearchFilters, searchCall } from '#shared/contracts/library/search.ts'

/** Enough for a question; the rest of a pasted text is cut. */
export const maxTypedLength = 200

const cut = (query: string) => query.trim().slice(0, maxQueryLength).toWellFormed()

/** Results while typing. The key is the question, so an answer to an earlier one is never shown as the current one. */
export const suggestionsQuery = (query: string, filters: Partial<SearchFilters>) =>
  callQuery(
    ['search', 'suggestions', query, filters],
    searchCall,
    { ...filters, query: cut(query), isTyping: true, limit: 20 },
    {
      enabled: query.trim() !== '' || filters.saved === true || filters.tried === true,
      placeholderData: keepPreviousData,
    },
  )

/** All results, page by page. */
export const resultsQuery = (query: string, filters: SearchFilters) =>
  infiniteQueryOptions({
    queryKey: ['search', 'results', query, filters],
    queryFn: ({ signal, pageParam }) =>
      invoke(searchCall, { ...filters, query: cut(query), cursor: pageParam, limit: 20 }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

export const archiveQuery = (month: string | null, tag: string | null) =>
  callQuery(['archive', month, tag], archiveCall, { month, tag }, { placeholderData: keepPreviousData })
