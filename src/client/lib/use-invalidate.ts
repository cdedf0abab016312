import { type QueryKey, useQueryClient } from '@tanstack/react-query'

/** Returns a function that refetches the queries whose keys begin with one of these. */
export function useInvalidate(...queryKeys: QueryKey[]) {
  const queryClient = useQueryClient()
  return () => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
