import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { ceremonyErrorMessage } from './ceremony-error.ts'
import { endPasskeyOffer, isPasskeyOfferDue, markPasskeyOfferShown } from './passkey-offer-state.ts'
import { hasPlatformAuthenticator } from './passkey-support.ts'
import { passkeysQuery, useAddPasskey } from './passkeys.api.ts'

/** Checks whether to offer a passkey before it renders anything. */
export default function PasskeyOffer() {
  const { user } = useSession()
  const [due, setDue] = useState(isPasskeyOfferDue)
  const device = useQuery({ queryKey: ['platform-authenticator'], queryFn: hasPlatformAuthenticator, enabled: due })
  const able = due && device.data === true
  const passkeys = useQuery({ ...passkeysQuery(user?.id ?? ''), enabled: able && user !== null, retry: false })
  if (!able || passkeys.data?.length !== 0) return null
  return <OfferCard onDone={() => setDue(false)} />
}

/** Floats, because it appears late and must not shift the page. It doesn't take the focus. */
function OfferCard({ onDone }: { onDone: () => void }) {
  const add = useAddPasskey()
  const [message, setMessage] = useState<string | null>(null)
  useEffect(() => markPasskeyOfferShown(), [])

  const finish = () => {
    endPasskeyOffer()
    onDone()
  }
  const handleAdd = () => {
    setMessage(null)
    add.mutate(undefined, {
      onSuccess: () => {
        toast.success('Your passkey is ready.', { description: 'Use it instead of your password next time.' })
        finish()
      },
      onError: (error) => setMessage(ceremonyErrorMessage(error)),
    })
  }

  return (
    <section
      aria-labelledby="passkey-offer"
      data-floating-offer
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] z-10 rounded-lg border border-line bg-surface p-4 shadow-float sm:inset-x-auto sm:right-6 sm:bottom-6 sm:w-96 sm:p-5 print:hidden"
    >
      <div className="flex gap-3.5">
        <Fingerprint aria-hidden className="mt-0.5 size-6 shrink-0 text-primary" strokeWidth={1.75} />
        <div>
          <h2 id="passkey-offer" className="font-semibold">
            Skip the password next time?
          </h2>
          <p className="mt-1 text-sm text-muted">
            A passkey signs you in with this device’s fingerprint, face, or PIN. Nothing to remember, nothing to steal.
          </p>
          <InlineError className="mt-2">{message}</InlineError>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" pending={add.isPending} onClick={handleAdd}>
              Add a passkey
            </Button>
            <Button size="sm" variant="quiet" onClick={finish}>
              Not now
            </Button>
          </div>
        </div>
      </div>
    </section>
  )
}
