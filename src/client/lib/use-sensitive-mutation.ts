import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { errorMessage } from './error-message.ts'
import { StepUpDeclined, withStepUp } from './step-up.ts'
import { toast } from './toast.ts'

type SensitiveMutation<Input, Result> = {
  mutationFn: (input: Input) => Promise<Result>
  onSuccess?: UseMutationOptions<Result, Error, Input>['onSuccess']
  /** Said here and not by the row that asked: the row may be gone by then. */
  done?: string
  /** "The passkey was not removed": the notification's title. Leave it out where the form says it beside the field. */
  failure?: string
}

/**
 * A change that the server may want a fresh proof of identity for: it asks, then repeats the change. Closing the
 * question is not an error that anybody needs to be told of.
 */
export function useSensitiveMutation<Result, Input = void>({
  mutationFn,
  onSuccess,
  done,
  failure,
}: SensitiveMutation<Input, Result>) {
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => withStepUp(() => mutationFn(input)),
    onSuccess: (...answer) => {
      if (done) toast.success(done, { id: done })
      return onSuccess?.(...answer)
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined || !failure) return
      console.error(failure, error)
      toast.error(failure, { id: failure, description: errorMessage(error) })
    },
  })
}
