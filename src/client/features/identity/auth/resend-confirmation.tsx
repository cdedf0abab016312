import { useSendAuthEmail } from './auth-emails.api.ts'
import { ResendButton } from './resend-button.tsx'

/** The banner's button. Loaded only for readers who haven't confirmed their address. */
export default function ResendConfirmation({ email }: { email: string }) {
  const send = useSendAuthEmail('confirmation')
  return <ResendButton label="Resend email" waitFirst={0} variant="quiet" onSend={() => send.mutateAsync(email)} />
}
