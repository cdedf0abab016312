import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Shows changes of a query's data before they are sent. A read that overlaps with sending may answer from before the
 * change, so the query is read again once the last change has arrived.
 */
export function createShownChanges(queryKey: QueryKey) {
  let startedReads = 0
  let unsent = 0
  let isOutdated = false
  return {
    /** The query's function, which has to be wrapped so that reads are noticed. */
    read<Input, Data>(queryFn: (input: Input) => Promise<Data>) {
      return (input: Input): Promise<Data> => {
        startedReads += 1
        return queryFn(input)
      }
    },
    async showUntilSent(client: QueryClient, sent: Promise<unknown>, show: () => void): Promise<void> {
      const readsBefore = startedReads
      unsent += 1
      show()
      if (client.isFetching({ queryKey }) > 0) {
        isOutdated = true
        await client.cancelQueries({ queryKey })
        show()
      }
      await sent.catch((error: unknown) => console.error('The change could not be stored on this device', error))
      unsent -= 1
      isOutdated ||= startedReads !== readsBefore
      if (unsent > 0 || !isOutdated) return
      isOutdated = false
      await client.invalidateQueries({ queryKey })
    },
  }
}
