import type { SubmitEvent } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { FactorSetupProps } from './factor-setup-props.ts'
import { useEnrollPhone } from './security.api.ts'
import { VerifyFactorForm } from './verify-factor-form.tsx'

function useResendPhoneCode() {
  return useSensitiveMutation({
    mutationFn: async (factorId: string) => {
      const { auth } = await loadBackend()
      return orThrow(await auth.mfa.challenge({ factorId })).id
    },
    failure: 'We couldn’t send the message',
  })
}

export function PhoneSetup({ suggestedName, onAdded, onClose }: FactorSetupProps) {
  const enroll = useEnrollPhone()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const phone = String(new FormData(event.currentTarget).get('phone')).trim()
    if (!enroll.isPending) enroll.mutate({ phone, friendlyName: suggestedName })
  }
  return (
    <Panel label="Add a phone">
      {enroll.data ? (
        <PhoneCode {...enroll.data} onAdded={onAdded} onClose={onClose} />
      ) : (
        <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
          <h4 className="font-semibold">Add a phone</h4>
          <TextField
            label="Phone number"
            name="phone"
            type="tel"
            autoComplete="tel"
            hint="Include the country code, for example +1 555 010 9999. Text messages can be intercepted; an authenticator app or a security key is safer."
            required
            autoFocus
          />
          <FormError>{formErrorMessage(enroll.error)}</FormError>
          <FormActions action="Send code" pending={enroll.isPending} onCancel={onClose} />
        </form>
      )}
    </Panel>
  )
}

type PhoneCodeProps = Omit<FactorSetupProps, 'suggestedName'> & { factorId: string; challengeId: string }

function PhoneCode({ factorId, challengeId, onAdded, onClose }: PhoneCodeProps) {
  const resend = useResendPhoneCode()
  return (
    <VerifyFactorForm
      title="Enter the code from the text message"
      label="Code from the text message"
      factor={{ factorId, challengeId: resend.data ?? challengeId }}
      done="Your phone is set up"
      onAdded={onAdded}
      autoFocus
      source="text"
      onClose={onClose}
    >
      <Button variant="secondary" pending={resend.isPending} onClick={() => resend.mutate(factorId)}>
        Resend code
      </Button>
    </VerifyFactorForm>
  )
}
