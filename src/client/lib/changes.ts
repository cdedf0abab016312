import { type QueryKey, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { invoke } from './calls.ts'
import { errorMessage } from './error-message.ts'
import { StepUpDeclined, withStepUp } from './step-up.ts'
import { toast } from './toast.ts'

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
  /** The query whose data is the answer from then on. */
  stores?: { queryKey: QueryKey }
  /** Success notification. */
  done?: string
  /** Title of the error notification. Omit it if the form shows the error inline. */
  failure?: string
  onSuccess?: (output: z.output<C['output']>, input: z.input<C['input']>) => unknown
}

/** Read by the guards of pages, which would use a stale answer: refetched even if no page shows it. */
const guards: ReadonlySet<string> = new Set(['subscription', 'staff-role'])

/** A change by one call, which may require step-up. It is pending until what the contract `invalidates` was refetched. */
export function useChange<C extends AnyCall>(call: C, { stores, onSuccess, ...messages }: ChangeOptions<C> = {}) {
  const queryClient = useQueryClient()
  return useSensitiveMutation<z.output<C['output']>, z.input<C['input']>>({
    mutationFn: (input) => invoke(call, input),
    ...messages,
    onSuccess: (output, input) => {
      if (stores) queryClient.setQueryData(stores.queryKey, output)
      return Promise.all([
        onSuccess?.(output, input),
        ...(call.invalidates ?? []).map((name) =>
          queryClient.invalidateQueries({ queryKey: [name], refetchType: guards.has(name) ? 'all' : 'active' }),
        ),
      ])
    },
  })
}

export type Change<C extends AnyCall> = ReturnType<typeof useChange<C>>

/** Returns a function that refetches the queries whose keys begin with one of these. */
export function useInvalidate(...queryKeys: QueryKey[]) {
  const queryClient = useQueryClient()
  return () => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

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
