import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { invoke } from './invoke.ts'
import { useSensitiveMutation } from './use-sensitive-mutation.ts'

type Options<C extends AnyCall> = {
  /** Success notification. */
  done?: string
  /** Title of the error notification. Omit it if the form shows the error inline. */
  failure?: string
  onSuccess?: (output: z.output<C['output']>, input: z.input<C['input']>) => unknown
}

/** Read by the guards of pages, which would use a stale answer: refetched even if no page shows it. */
const guards: ReadonlySet<string> = new Set(['subscription', 'staff-role'])

/** A change by one call, which may require step-up. It is pending until what the contract `invalidates` was refetched. */
export function useChange<C extends AnyCall>(call: C, { onSuccess, ...messages }: Options<C> = {}) {
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
