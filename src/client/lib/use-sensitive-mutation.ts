import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
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
